// Times how fast the console takes decisions: `node scripts/time-approvals.mjs [30]`. Makes so many
// proposals, approves each one by keyboard in Chromium as soon as its difference is shown, and
// prints the seconds. Then times the way from the start of the example to its first approval. The
// person's time to read comes on top. Needs `dist`.
import { openConsole } from "./open-console.mjs";

const count = Number(process.argv[2] ?? 30);
const labels = Array.from({ length: count }, (_, index) => `block_${index + 1}_of_${count}`);
const text = Array.from({ length: 12 }, (_, index) => `Line ${index + 1} of the block`).join("\n");

/**
 * @param {string} url
 * @param {string} method
 * @param {object} request
 */
async function call(url, method, request) {
  const response = await fetch(`${url}/vademecum.v1.${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`${method}: ${await response.text()}`);
}

async function timeApprovals() {
  const { url, browser, close } = await openConsole(["--embedder", "none"]);
  try {
    for (const label of labels) {
      await call(url, "BlockService/PutBlock", { userId: "ada", label, body: text });
      await call(url, "MemoryProvider/ProposeEdit", {
        namespace: { userId: "ada", agentId: "tutor" },
        blockLabel: label,
        oldString: "Line 7 of the block",
        newString: "Line 7, as it should be",
        reasoning: "She said so",
      });
    }
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const openedMs = performance.now();
    await page.goto(`${url}/console/`);
    await page.locator(`[aria-setsize="${count}"]`).first().waitFor();
    const beganMs = performance.now();
    /** @type {number[]} */
    const times = [];
    await page.keyboard.press("j");
    for (const label of labels) {
      const seenMs = performance.now();
      await page.getByRole("link", { name: label, exact: true }).waitFor();
      await page.getByTestId("diff").waitFor();
      await page.keyboard.press("a");
      await page.getByText(`block ${label} of ada is now version 2`).first().waitFor();
      times.push(performance.now() - seenMs);
    }
    await page.getByText("Nothing waits").waitFor();
    const seconds = (performance.now() - beganMs) / 1000;
    times.sort((one, other) => one - other);
    const at = (/** @type {number} */ share) =>
      Math.round(times[Math.ceil(times.length * share) - 1] ?? 0);
    print(`open until the list is complete: ${((beganMs - openedMs) / 1000).toFixed(2)} s`);
    print(`${count} approvals by keyboard: ${seconds.toFixed(1)} s`);
    print(`one approval: median ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms`);
  } finally {
    await close();
  }
}

async function timeFirstApproval() {
  const beganMs = performance.now();
  const { url, browser, close } = await openConsole(["--demo"]);
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${url}/console/`);
    await page.locator("[role=option]").first().waitFor();
    await page.keyboard.press("j");
    await page.getByTestId("diff").waitFor();
    await page.keyboard.press("a");
    await page
      .getByText(/is now version/)
      .first()
      .waitFor();
    const seconds = (performance.now() - beganMs) / 1000;
    print(`from "serve --demo" to the first approval: ${seconds.toFixed(1)} s`);
  } finally {
    await close();
  }
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`);
}

await timeApprovals();
await timeFirstApproval();
