// Takes the pictures of the documentation: `node scripts/take-screenshots.mjs`. Serves the example
// world in a temporary folder, and opens its pages in Chromium. Needs `dist`.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openConsole } from "./open-console.mjs";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));

/**
 * Each picture: its file, the place of its page, the keys to press, the size, and the colours.
 * @type {readonly { name: string, place: string, keys: readonly string[], text: string,
 *   width: number, height: number, scheme: "light" | "dark" }[]}
 */
const pictures = [
  {
    name: "console-inbox",
    place: "#/inbox",
    keys: ["j"],
    text: "above all geometry",
    width: 1280,
    height: 560,
    scheme: "light",
  },
  {
    name: "console-inbox-narrow",
    place: "#/inbox",
    keys: ["j"],
    text: "above all geometry",
    width: 390,
    height: 780,
    scheme: "dark",
  },
  {
    name: "console-memories",
    place: "#/u/ben/a/guide?type=semantic",
    keys: ["j"],
    text: "importance",
    width: 1280,
    height: 480,
    scheme: "light",
  },
  {
    name: "console-playground",
    place: "#/u/ada/a/sommelier/search?q=which%20wine%20for%20dinner%20on%20Saturday&budget=60",
    keys: [],
    text: "returned",
    width: 1280,
    height: 640,
    scheme: "light",
  },
  {
    name: "console-turn",
    place: "#/u/ada/a/sommelier/turns/r/r-dinner-2",
    keys: [],
    text: "denied",
    width: 1280,
    height: 380,
    scheme: "light",
  },
  {
    name: "console-server",
    place: "#/server",
    keys: [],
    text: "8 samples",
    width: 1280,
    height: 640,
    scheme: "dark",
  },
];

/**
 * Makes a search in most cases, so that the page of the server has something to show.
 * @param {number} chance from 0 to 1
 */
async function search(chance) {
  if (chance > 0.6) return;
  const namespace = { userId: "ada", agentId: "tutor" };
  const query = chance > 0.3 ? "proofs" : "what did Ada say about matrices and vectors";
  await fetch(`${url}/vademecum.v1.MemoryProvider/Recall`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ search: { namespace, query, budgetTokens: 200 } }),
  });
}

const { url, browser, close } = await openConsole(["--demo"]);
try {
  for (const { name, place, keys, text, width, height, scheme } of pictures) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      timezoneId: "UTC",
    });
    const page = await context.newPage();
    await page.goto(`${url}/console/${place}`);
    await page.getByTestId("inbox-count").waitFor();
    await page.getByRole("button", { name: "Hide this warning" }).click();
    for (const key of keys) await page.keyboard.press(key);
    const calls = setInterval(() => void search(Math.random()), 100);
    await page.getByText(text).first().waitFor({ timeout: 120_000 });
    clearInterval(calls);
    // The checks of waiting proposals are complete.
    await page.waitForTimeout(1_000);
    await page.screenshot({ path: join(projectFolder, "docs", "images", `${name}.png`) });
    await context.close();
  }
} finally {
  await close();
}
