import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCalibratedModel } from "../../src/embed/calibrated-embedder.js";
import { readCalibration, writeCalibration } from "../../src/embed/calibration-file.js";

const calibration = { vectorWeight: 0.4, randomScore: 0.05, paraphraseScore: 0.5 };
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-calibration-"));
  file = join(folder, "calibration.json");
});

afterEach(() => rm(folder, { recursive: true }));

describe("a calibration file", () => {
  it("a calibration file returns the last written calibration, and leaves no temporary file", async () => {
    await writeCalibration(file, {
      modelId: "a@1",
      calibration: { ...calibration, vectorWeight: 0.9 },
    });
    await writeCalibration(file, { modelId: "a@1", calibration });
    expect(await readCalibration(file, "a@1")).toEqual({ modelId: "a@1", calibration });
    expect(await readdir(folder)).toEqual(["calibration.json"]);
  });

  it("a calibration file may state the default floor of its model", async () => {
    await writeCalibration(file, { modelId: "a@1", calibration, defaultFloor: 0.05 });
    expect(await readCalibratedModel("a@1", file)).toMatchObject({ defaultFloor: 0.05 });
    await writeCalibration(file, { modelId: "a@1", calibration });
    expect(await readCalibratedModel("a@1", file)).toMatchObject({ defaultFloor: 0.02 });
  });

  it("no calibration is read for another model, or from a file that does not exist", async () => {
    await writeCalibration(file, { modelId: "a@1", calibration });
    expect(await readCalibration(file, "a@2")).toBeUndefined();
    expect(await readCalibration(join(folder, "other.json"), "a@1")).toBeUndefined();
  });

  it.each([
    "",
    "null",
    "{}",
    JSON.stringify({ calibration }),
    JSON.stringify({ modelId: "a@1", calibration, defaultFloor: "0" }),
    JSON.stringify({ modelId: "a@1", calibration, otherLatin: { calibration: {} } }),
    JSON.stringify({ modelId: "a@1", calibration: { ...calibration, vectorWeight: 0 } }),
    JSON.stringify({ modelId: "a@1", calibration: { ...calibration, vectorWeight: 1.1 } }),
    JSON.stringify({ modelId: "a@1", calibration: { ...calibration, randomScore: "0" } }),
    JSON.stringify({ modelId: "a@1", calibration: { ...calibration, paraphraseScore: 0.05 } }),
  ])("a calibration file with the content %j is refused", async (text) => {
    await writeFile(file, text);
    await expect(readCalibration(file, "a@1")).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "CALIBRATION_UNREADABLE",
    });
  });

  it("the error for a calibration file that cannot be written contains the calibration", async () => {
    await expect(
      writeCalibration(join(folder, "no-folder", "c.json"), { modelId: "a@1", calibration }),
    ).rejects.toMatchObject({
      reason: "CALIBRATION_NOT_KEPT",
      message: expect.stringContaining('"randomScore":0.05') as string,
    });
  });
});
