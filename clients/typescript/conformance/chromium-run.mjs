// Runs a program in a Chromium page and prints its console log:
// `node chromium-run.mjs FILE ORIGIN`.
import { openPage } from "./chromium-page.mjs";

const [file, origin] = process.argv.slice(2);
const page = await openPage(file, origin, (message) => {
  if (message.type() === "log") process.stdout.write(`${message.text()}\n`);
});
try {
  await page.run();
} finally {
  await page.close();
}
