import { expect, it } from "vitest";
import { useConsole } from "./browser.js";
import { propose, putProfile } from "./proposals.js";

const server = useConsole();

it("a screen reader is told names, positions, and what is inserted and deleted", async () => {
  const test = server();
  await putProfile(test);
  await propose(test, "Likes: math", "Likes: music");
  await propose(test, "physics", "chemistry");
  const page = await test.open();
  await page.locator("[role=option]").first().click();
  await page.getByTestId("diff").waitFor();
  const list = await page.getByRole("listbox", { name: "Proposals that wait" }).ariaSnapshot();
  expect(list).toMatch(/option "?.*Ready ada profile tutor/);
  expect(list).toContain("[selected]");
  const first = page.locator("[role=option]").first();
  expect(await first.getAttribute("aria-setsize")).toBe("2");
  expect(await first.getAttribute("aria-posinset")).toBe("1");
  const detail = await page.getByRole("article", { name: "Proposal" }).ariaSnapshot();
  expect(await page.getByRole("deletion").first().textContent()).toBe("removed: Likes: math");
  expect(await page.getByRole("insertion").first().textContent()).toBe("added: Likes: music");
  for (const name of ["Approve", "Edit", "Reject"])
    expect(detail).toMatch(new RegExp(`button "${name}"`));
  await page.keyboard.press("a");
  await page.locator('[aria-live="polite"]').filter({ hasText: "Approved" }).waitFor();
});
