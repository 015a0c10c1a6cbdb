import { expect, it } from "vitest";
import { useConsole } from "./browser.js";

const server = useConsole();

const ids = ["a/b", "%2F", "..", "#x?y=1&z", "👩‍🚀", "שלום", "x".repeat(256), "nul\0nul", "a b+c"];

it("users and agents of any name can be listed, opened, loaded again and left", async () => {
  const test = server();
  for (const id of ids)
    await test.call("MemoryProvider/Add", {
      namespace: { userId: id, agentId: id },
      content: `A memory of ${ids.indexOf(id)}`,
    });
  const page = await test.open("#/users");
  await page
    .locator("tbody tr")
    .nth(ids.length - 1)
    .waitFor();
  for (const [index, id] of ids.entries()) {
    await page.evaluate(`location.hash = "#/users"`);
    const links = page.locator("tbody td:first-child a");
    await links.nth(ids.length - 1).waitFor();
    const names = await links.allTextContents();
    await links.nth(names.indexOf(id)).click();
    await page.locator('[aria-label="Agents"] a').first().click();
    await page.getByText(`A memory of ${index}`).first().waitFor();
    await page.reload();
    await page.getByText(`A memory of ${index}`).first().waitFor();
    expect(await page.locator(".crumbs").textContent()).toContain(id);
  }
});
