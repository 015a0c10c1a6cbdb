import { expect, it } from "vitest";
import { useConsole } from "./browser.js";

const server = useConsole();
const namespace = { userId: "ada", agentId: "tutor" };

async function addMemories(texts: readonly string[]): Promise<void> {
  const memories = texts.map((content) => ({ content }));
  await server().call("MemoryProvider/AddMany", { namespace, memories });
}

async function countMemories(): Promise<number> {
  const { count = "0" } = await server().call("MemoryProvider/Count", { namespace });
  return Number(count);
}

it("memories that pass a filter are deleted only after their number was shown and a name was typed", async () => {
  await addMemories(["red wine", "white wine", "green tea"]);
  const page = await server().open("#/u/ada/a/tutor?contains=wine");
  await page.getByText("2 of 3 memories").waitFor();
  await page.getByRole("button", { name: "Delete these memories…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("This deletes 2 memories").waitFor();
  const button = dialog.getByRole("button", { name: "Delete these memories" });
  expect(await button.isDisabled()).toBe(true);
  await dialog.locator("input").fill("tuto");
  await page.keyboard.press("Control+Enter");
  expect(await button.isDisabled()).toBe(true);
  expect(await countMemories()).toBe(3);
  await dialog.locator("input").fill("tutor");
  await button.click();
  await dialog.getByText("2 memories were deleted").waitFor();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await page.getByText("0 of 1 memories").waitFor();
  expect(await countMemories()).toBe(1);
});

it("all that an agent remembers is deleted after its name was typed", async () => {
  await addMemories(["red wine", "white wine"]);
  const page = await server().open("#/u/ada/a/tutor");
  await page.getByRole("button", { name: "Delete all of this agent…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("This deletes all 2 memories and 0 skills").waitFor();
  await dialog.locator("input").fill("tutor");
  await page.keyboard.press("Control+Enter");
  await dialog.getByText("All of it was deleted").waitFor();
  expect(await countMemories()).toBe(0);
});

it("a user is forgotten after the name was typed, and the receipt is shown", async () => {
  const test = server();
  await addMemories(["red wine", "white wine"]);
  await test.call("BlockService/PutBlock", { userId: "ada", label: "profile", body: "x" });
  const page = await test.open("#/u/ada");
  await page.getByRole("button", { name: "Forget this user…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/This erases 2 memories.*1 blocks/).waitFor();
  expect(await countMemories()).toBe(2);
  await dialog.locator("input").fill("ada");
  await dialog.getByRole("button", { name: "Forget this user" }).click();
  await dialog.getByText('"hmacKey"').waitFor();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await page.getByText("No memories yet").waitFor();
  expect(await test.call("AdminService/ListUsers", {})).toMatchObject({ users: [] });
});

it("more than twenty rejections ask for a typed word, whose key approves nothing", async () => {
  const test = server();
  for (let index = 0; index < 21; index += 1)
    await test.call("MemoryProvider/ProposeEdit", {
      namespace,
      blockLabel: `block_${index}`,
      newBody: "text",
      reasoning: "It is new",
    });
  const page = await test.open();
  await page.locator('[aria-setsize="21"]').first().waitFor();
  await page.keyboard.press("j");
  for (let index = 1; index < 21; index += 1) await page.keyboard.press("Shift+J");
  await page.keyboard.press("Shift+R");
  await page.getByLabel("Reason for the agent").fill("Too many.");
  await page.keyboard.press("Control+Enter");
  expect(await test.call("ProposalService/CountProposals", {})).toMatchObject({ total: "21" });
  await page.getByLabel(/To go on, type/).fill("reject 21");
  await page.keyboard.press("Control+Enter");
  await page.getByText("21 done, 0 failed").waitFor();
});

it("at 360 pixels a tapped memory takes the place of the list, and back leads to the list", async () => {
  await addMemories(Array.from({ length: 40 }, (_, index) => `memory number ${index}`));
  const page = await server().open("#/u/ada/a/tutor");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.locator("[role=option]").nth(5).click();
  const detail = page.getByRole("article", { name: "Memory" });
  await detail.waitFor();
  const top = await page.evaluate(
    `document.querySelector(".memory-text").getBoundingClientRect().top`,
  );
  expect(top).toBeLessThan(500);
  expect(await page.locator("[role=option]").first().isVisible()).toBe(false);
  await page.evaluate(`history.back()`);
  await page.locator("[role=option]").first().waitFor();
  await page.locator("[role=option]").nth(2).click();
  await page.getByRole("button", { name: "‹ All memories" }).click();
  await page.locator("[role=option]").first().waitFor();
});
