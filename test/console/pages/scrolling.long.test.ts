import { expect, it } from "vitest";
import { useConsole } from "./browser.js";

const server = useConsole();
const count = 10_000;
/** The height of a row, in CSS pixels. */
const rowHeight = 28;

it("10,000 memories can be scrolled to the last one: none is skipped, none comes twice", async () => {
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
  const note = `(() => {
    for (const row of document.querySelectorAll("[role=option]"))
      window.seen.set(Number(row.getAttribute("aria-posinset")), row.querySelector(".content").textContent);
    const list = document.querySelector(".listbox");
    let next = 1;
    while (window.seen.has(next)) next += 1;
    list.scrollTop = (next - 1) * ${rowHeight};
    return window.seen.size;
  })()`;
  await expect.poll(() => page.evaluate(note), { timeout: 120_000, interval: 15 }).toBe(count);
  const texts = (await page.evaluate(
    `[...window.seen].sort(([one], [other]) => one - other).map(([, text]) => text)`,
  )) as string[];
  expect(texts).toEqual(
    Array.from({ length: count }, (_, index) => `memory number ${count - 1 - index}`),
  );
  expect(await page.evaluate(`document.querySelectorAll("[role=option]").length`)).toBeLessThan(60);
  await page.getByLabel("contains").fill("nothing has this");
  await page.keyboard.press("Enter");
  await page.getByText("No match").waitFor();
  expect(await page.getByLabel("contains").isVisible()).toBe(true);
});
