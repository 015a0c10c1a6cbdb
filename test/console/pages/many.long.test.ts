import { expect, it } from "vitest";
import { useConsole } from "./browser.js";
import {
  heapOf,
  keyTimes,
  megabytesText,
  millisecondsOf,
  printFigure,
  quantileText,
} from "./figures.js";

const server = useConsole();

it("10,000 proposals are a list of which a few rows are drawn, and keys answer at once", async () => {
  const test = server();
  const namespace = { userId: "ada", agentId: "tutor" };
  // A proposal takes the longer, the longer its block is.
  const labels = Array.from({ length: 40 }, (_, index) => `profile ${index}`);
  const body = Array.from({ length: 250 }, (_, index) => `line ${index};`).join("\n");
  for (const label of labels)
    await test.call("BlockService/PutBlock", { userId: "ada", label, body });
  const propose = (blockLabel: string, index: number) =>
    test.call("MemoryProvider/ProposeEdit", {
      namespace,
      blockLabel,
      oldString: `line ${index};`,
      newString: `line ${index} changed;`,
      reasoning: "It has changed",
    });
  for (let index = 0; index < 250; index++)
    await Promise.all(labels.map((label) => propose(label, index)));
  const beganMs = performance.now();
  const page = await test.open();
  await page.locator("[role=option]").first().waitFor();
  const firstMs = performance.now() - beganMs;
  await page.locator('[aria-setsize="10000"]').first().waitFor();
  printFigure("10,000 proposals, first row", `${Math.round(firstMs)} ms`);
  printFigure("10,000 proposals, all", `${Math.round(performance.now() - beganMs)} ms`);
  expect(await page.title()).toBe("(10000) Inbox · Vademecum");
  const drawn = () => page.evaluate(`document.querySelectorAll("[role=option]").length`);
  expect(await drawn()).toBeLessThanOrEqual(60);
  for (let step = 0; step < 40; step += 1) await page.keyboard.press("j");
  await page.locator('[aria-selected="true"][aria-posinset="40"]').waitFor();
  const times = await keyTimes(page, "j", 200);
  printFigure(
    "10,000 proposals, j until the next frame",
    `p50 ${quantileText(times, 0.5)}, p95 ${quantileText(times, 0.95)}`,
  );
  await page.locator('[aria-selected="true"][aria-posinset="240"]').waitFor();
  await page.evaluate(`document.querySelector(".listbox").scrollTop = 1e9`);
  await page.locator('[aria-posinset="10000"]').waitFor();
  expect(await drawn()).toBeLessThanOrEqual(61);
  const heap = await heapOf(page);
  printFigure("10,000 proposals, heap", megabytesText(heap));
  expect(heap).toBeLessThan(100e6);
});

it("two texts of 256 KiB without a common line are a whole replacement, and keys still answer", async () => {
  const test = server();
  const text = (word: string) =>
    Array.from({ length: 9_000 }, (_, index) => `${word} ${index} ${"x".repeat(16)}`).join("\n");
  await test.call("BlockService/PutBlock", { userId: "ada", label: "big", body: text("old") });
  await test.call("MemoryProvider/ProposeEdit", {
    namespace: { userId: "ada", agentId: "tutor" },
    blockLabel: "big",
    newBody: text("new"),
    reasoning: "All of it",
  });
  const page = await test.open();
  await page.locator("[role=option]").first().waitFor();
  const shownMs = await millisecondsOf(async () => {
    await page.locator("[role=option]").first().click();
    await page.getByText("The whole text is replaced").waitFor();
  });
  printFigure("two texts of 256 KiB, until the difference is shown", `${shownMs} ms`);
  await page.keyboard.press("s");
  await page.getByRole("button", { name: "Side by side" }).waitFor();
});
