// The driver of clients/conformance/run.mjs for the TypeScript client in a Chromium page:
// `node chromium-driver.mjs ORIGIN`. An answer includes the errors on the browser's console.
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openPage } from "./chromium-page.mjs";

const [origin] = process.argv.slice(2);
const calls = join(dirname(fileURLToPath(import.meta.url)), "calls.mjs");
let errors = [];
const page = await openPage(calls, origin, (message) => {
  if (message.type() === "error") errors.push(message.text());
});
for await (const line of createInterface({ input: process.stdin })) {
  const { id, open, ...command } = JSON.parse(line);
  errors = [];
  const answer = await page.call(
    "answerTo",
    open === undefined ? command : { open: { ...open, tls: open.ca_file !== undefined } },
  );
  process.stdout.write(
    `${JSON.stringify({ id, ...answer, ...(errors.length > 0 && { pageErrors: errors.join("\n") }) })}\n`,
  );
}
await page.close();
