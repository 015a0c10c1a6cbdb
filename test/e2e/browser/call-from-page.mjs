// Calls an export of page-calls.mjs in a page of Chromium and prints its result: `node
// call-from-page.mjs ORIGIN EXPORT ARGUMENT`. Argument and result are JSON.
import { fileURLToPath } from "node:url";
import { openPage } from "../../../clients/typescript/conformance/chromium-page.mjs";

const [origin, name, argument] = process.argv.slice(2);
const page = await openPage(
  fileURLToPath(new URL("page-calls.mjs", import.meta.url)),
  origin,
  () => undefined,
);
try {
  process.stdout.write(JSON.stringify(await page.call(name, JSON.parse(argument))));
} finally {
  await page.close();
}
