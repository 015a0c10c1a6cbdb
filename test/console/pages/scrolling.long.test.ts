import { expect, it } from "vitest";
import { bySuite } from "../../suite.js";
import { useConsole } from "./browser.js";
import { heapOf, megabytesText, printFigure } from "./figures.js";

const server = useConsole();
const count = bySuite({ quick: 10_000, full: 100_000 });
/** The height of a row, in CSS pixels. */
const rowHeight = 28;

it("all memories of a namespace can be scrolled: none is skipped, none comes twice", async () => {
  const test = server();
  const namespace = { userId: "ada", agentId: "tutor" };
  for (let start = 0; start < count; start += 500) {
    const memories = Array.from({ length: 500 }, (_, index) => ({
      content: `memory number ${start + index}`,
    }));
    await test.call("MemoryProvider/AddMany", { namespace, memories });
  }
  const page = await test.open("#/u/ada/a/tutor");
  await page.locator("[role=option]").first().waitFor();
  await page.evaluate(`window.seen = new Map()`);
  const beganMs = performance.now();
  const note = `(() => {
    for (const row of document.querySelectorAll("[role=option]"))
      window.seen.set(Number(row.getAttribute("aria-posinset")), row.querySelector(".content").textContent);
    const list = document.querySelector(".listbox");
    window.next ??= 1;
    while (window.seen.has(window.next)) window.next += 1;
    list.scrollTop = (window.next - 1) * ${rowHeight};
    return window.seen.size;
  })()`;
  await expect.poll(() => page.evaluate(note), { timeout: 560_000, interval: 15 }).toBe(count);
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
  printFigure(`${count} memories, scrolled through`, `${seconds} s`);
  const texts = (await page.evaluate(
    `[...window.seen].sort(([one], [other]) => one - other).map(([, text]) => text)`,
  )) as string[];
  expect(texts).toEqual(
    Array.from({ length: count }, (_, index) => `memory number ${count - 1 - index}`),
  );
  expect(await page.evaluate(`document.querySelectorAll("[role=option]").length`)).toBeLessThan(60);
  await page.evaluate(`window.seen = undefined`);
  const heap = await heapOf(page);
  printFigure(`${count} memories, heap`, megabytesText(heap));
  expect(heap).toBeLessThan(150e6);
  await page.getByLabel("contains").fill("nothing has this");
  await page.keyboard.press("Enter");
  await page.getByText("No match").waitFor();
  expect(await page.getByLabel("contains").isVisible()).toBe(true);
}, 600_000);
