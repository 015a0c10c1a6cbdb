import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { folderFormat } from "../../../src/store/level/folder/mark-file.js";
import { verifyFolder } from "../../../src/store/level/recovery/verify-folder.js";
import { createTestFolder, openTestStore } from "./level-folder.js";

const slotDistance = 4096;
const formatAt = 6;
const checksumAt = 109;

describe("a data folder in another format", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await createTestFolder(onTestFinished);
    await (await openTestStore(folder)).close();
  });

  /** Writes another number of the format into the high-water mark. */
  async function changeFormat(format: number): Promise<Buffer> {
    const path = join(folder, "high-water-mark");
    const content = await readFile(path);
    for (const slot of [content.subarray(0, slotDistance), content.subarray(slotDistance)]) {
      slot.write(String(format).padStart(2, "0"), formatAt, "ascii");
      slot.writeUInt32BE(crc32(slot.subarray(0, checksumAt)), checksumAt);
    }
    await writeFile(path, content);
    return content;
  }

  it.each([
    ["older", folderFormat - 1],
    ["newer", folderFormat + 1],
  ])(
    "a data folder in an %s format is refused by its number, and not changed",
    async (age, format) => {
      const mark = await changeFormat(format);
      const refusal = {
        code: "FAILED_PRECONDITION",
        reason: "UNSUPPORTED_FORMAT",
        message:
          `the data folder ${folder} is in format ${format}, and this version reads format ` +
          `${folderFormat}; start the ${age} version that wrote the data, or choose another place ` +
          "for new data. Nothing was changed",
      };
      await expect(openTestStore(folder)).rejects.toMatchObject(refusal);
      await expect(verifyFolder(folder)).rejects.toMatchObject(refusal);
      expect(await readFile(join(folder, "high-water-mark"))).toEqual(mark);
      await changeFormat(folderFormat);
      await (await openTestStore(folder)).close();
      expect((await verifyFolder(folder)).findings).toEqual([]);
    },
  );

  it("a data folder in a newer format whose marks have another form is refused by its number", async () => {
    const content = await changeFormat(folderFormat + 1);
    for (const at of [checksumAt, slotDistance + checksumAt]) content.writeUInt32BE(7, at);
    await writeFile(join(folder, "high-water-mark"), content);
    const refusal = { reason: "UNSUPPORTED_FORMAT" };
    await expect(openTestStore(folder)).rejects.toMatchObject(refusal);
    await expect(verifyFolder(folder)).rejects.toMatchObject(refusal);
  });

  it("one damaged slot that seems to have a newer format does not stop the other", async () => {
    const path = join(folder, "high-water-mark");
    const content = await readFile(path);
    content.write(String(folderFormat + 1).padStart(2, "0"), formatAt, "ascii");
    await writeFile(path, content);
    await (await openTestStore(folder)).close();
  });
});
