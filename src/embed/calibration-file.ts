import { readFile, rename, writeFile } from "node:fs/promises";
import { errorText, VademecumError } from "../core/model/errors.js";
import type { Scale } from "../core/ports/embedder.js";

/** The content of a calibration file. */
export interface CalibrationRecord extends Scale {
  /** The model that was measured. Other models ignore the figures. */
  readonly modelId: string;
  /** The scale of queries in other languages of Latin script. Absent: that of English. */
  readonly otherLatin?: Scale;
}

/**
 * Returns the calibration of a model from a file; `undefined` if there is no such file, or if the
 * file belongs to another model.
 *
 * @throws FAILED_PRECONDITION (CALIBRATION_UNREADABLE) when the file holds no calibration
 */
export async function readCalibration(
  file: string,
  modelId: string,
): Promise<CalibrationRecord | undefined> {
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
      `${file} holds no calibration; delete it and run \`vademecum calibrate\``,
    );
  }
  return record.modelId === modelId ? record : undefined;
}

/**
 * Writes the calibration of a model to a file, replacing its content. Requires: the folder exists.
 *
 * @throws FAILED_PRECONDITION (CALIBRATION_NOT_KEPT) when the file cannot be written
 */
export async function writeCalibration(file: string, record: CalibrationRecord): Promise<void> {
  const temporary = `${file}.tmp`;
  try {
    await writeFile(temporary, `${JSON.stringify(record, undefined, 2)}\n`);
    await rename(temporary, file);
  } catch (error) {
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "CALIBRATION_NOT_KEPT",
      `the calibration ${JSON.stringify(record.calibration)} cannot be written to ${file} ` +
        `(${errorText(error)}); make the folder writable and repeat the command`,
      { cause: error },
    );
  }
}

function parseRecord(text: string): CalibrationRecord | undefined {
  try {
    const record = JSON.parse(text) as CalibrationRecord;
    const scales: readonly Scale[] = [record, ...(record.otherLatin ? [record.otherLatin] : [])];
    return typeof record.modelId === "string" && scales.every(isUsable) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isUsable({ calibration, defaultFloor = 0 }: Scale): boolean {
  const { vectorWeight, randomScore, paraphraseScore } = calibration;
  return (
    [vectorWeight, randomScore, paraphraseScore, defaultFloor].every(Number.isFinite) &&
    vectorWeight > 0 &&
    vectorWeight <= 1 &&
    randomScore < paraphraseScore
  );
}
