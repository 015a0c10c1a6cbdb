import { expect, it } from "vitest";
import { useConsole } from "./browser.js";

const server = useConsole();

it("of 30 decisions 5 fail: 25 are made, 5 are listed with reasons, a repetition tries only these", async () => {
  const test = server();
  const labels = Array.from(
    { length: 30 },
    (_, index) => `block_${String(index).padStart(2, "0")}`,
  );
  for (const label of labels) {
    await test.call("BlockService/PutBlock", { userId: "ada", label, body: "old words" });
    await test.call("MemoryProvider/ProposeEdit", {
      namespace: { userId: "ada", agentId: "tutor" },
      blockLabel: label,
      oldString: "old",
      newString: "new",
      reasoning: "It is new",
    });
  }
  const page = await test.open();
  await page.locator('[aria-setsize="30"]').first().waitFor();
  await page.keyboard.press("j");
  for (let index = 1; index < 30; index += 1) await page.keyboard.press("Shift+J");
  await page.getByText("30 marked").waitFor();
  for (const label of labels.slice(0, 5))
    await test.call("BlockService/PutBlock", { userId: "ada", label, body: "other words" });
  await page.keyboard.press("Shift+A");
  await page.getByLabel(/To go on, type/).fill("approve 30");
  await page.keyboard.press("Control+Enter");
  await page.getByText("25 done, 5 failed").waitFor();
  expect(await page.locator(".batch-failures li").allTextContents()).toEqual(
    labels
      .slice(0, 5)
      .map((label): unknown => expect.stringMatching(`${label}.*the old text is gone`)),
  );
  for (const label of labels.slice(0, 4))
    await test.call("BlockService/PutBlock", { userId: "ada", label, body: "old words again" });
  await page.getByText("Try these 5 again").click();
  await page.getByText("4 done, 1 failed").waitFor();
  const { total } = await test.call("ProposalService/CountProposals", {});
  expect(total).toBe("1");
});
