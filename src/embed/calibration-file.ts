import { readFile, rename, writeFile } from "node:fs/promises";
import { errorText, VademecumError } from "../core/model/errors.js";
import type { Calibration } from "../core/ports/embedder.js";

/** What a calibration file holds. */
interface CalibrationRecord {
  /** Of which model the figures are: those of another one are not used. */
  readonly modelId: string;
  readonly calibration: Calibration;
}

/**
 * The calibration of a model that is kept in a file; `undefined` if there is no such file, or if it is about another model.
 * @throws FAILED_PRECONDITION (CALIBRATION_UNREADABLE) for a file that holds no calibration
 */
export async function readCalibration(
  file: string,
  modelId: string,
): Promise<Calibration | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const record = parseRecord(text);
  if (record === undefined) {
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "CALIBRATION_UNREADABLE",
      `${file} holds no calibration; delete it, and make it again with \`vademecum calibrate\``,
    );
  }
  return record.modelId === modelId ? record.calibration : undefined;
}

/** Keeps a model's calibration in a file, in place of what was there. The folder must exist. @throws FAILED_PRECONDITION (CALIBRATION_NOT_KEPT) where it cannot be written */
export async function writeCalibration(file: string, record: CalibrationRecord): Promise<void> {
  const temporary = `${file}.tmp`;
  try {
    await writeFile(temporary, `${JSON.stringify(record, undefined, 2)}\n`);
    await rename(temporary, file);
  } catch (error) {
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "CALIBRATION_NOT_KEPT",
      `the calibration ${JSON.stringify(record.calibration)} cannot be written to ${file} (${errorText(error)}); make the folder writable and repeat the command`,
      { cause: error },
    );
  }
}

function parseRecord(text: string): CalibrationRecord | undefined {
  try {
    const record = JSON.parse(text) as CalibrationRecord;
    const { vectorWeight, randomScore, paraphraseScore } = record.calibration;
    const areNumbers =
      [vectorWeight, randomScore, paraphraseScore].every(Number.isFinite) &&
      typeof record.modelId === "string";
    const isUsable =
      areNumbers && vectorWeight > 0 && vectorWeight <= 1 && randomScore < paraphraseScore;
    return isUsable ? record : undefined;
  } catch {
    return undefined;
  }
}
