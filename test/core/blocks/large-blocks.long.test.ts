import { expect, it } from "vitest";
import { createWorkshop } from "../proposals/proposal-workshop.js";

const user = { userId: "kim", writtenBy: "kim" };

it("DeleteBlocks deletes 1,000 blocks at once, and refuses more", async () => {
  const { blocks } = createWorkshop();
  for (let i = 0; i < 1001; i++) await blocks.put({ ...user, label: `p${i}`, body: "" });
  const deletion = { userId: "kim", labelPrefix: "p", dryRun: false };
  for (const dryRun of [true, false]) {
    await expect(blocks.deleteAll({ ...deletion, dryRun })).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "TOO_MANY_MATCHES",
    });
  }
  await blocks.delete({ userId: "kim", label: "p0" });
  expect(await blocks.deleteAll(deletion)).toMatchObject({ deleted: 1000 });
});

it("RenameBlock refuses a block whose versions have more than 64 MiB as JSON", async () => {
  const { blocks } = createWorkshop();
  // JSON writes each of these characters in six bytes.
  const body = "\u0001".repeat(256 * 1024);
  for (let i = 0; i < 43; i++) await blocks.put({ ...user, label: "large", body });
  const rename = { userId: "kim", label: "large", newLabel: "other" };
  await expect(blocks.rename(rename)).rejects.toMatchObject({
    code: "FAILED_PRECONDITION",
    reason: "BLOCK_TOO_LARGE",
  });
  expect((await blocks.get("kim", "large")).version).toBe(43);
});
