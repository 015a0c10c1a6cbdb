import { VademecumError } from "../core/model/errors.js";
import {
  type Calibration,
  type Embedder,
  measuredWeakLevel,
  type Scale,
} from "../core/ports/embedder.js";
import { assumedCalibration } from "./assumed-calibration.js";
import { readCalibration } from "./calibration-file.js";

/**
 * The default floor (minimum relevance of hits) of a model with a measured calibration. The bundled
 * model has the same floor, because relevance means the same on every measured scale.
 */
const measuredFloor = 0.02;

/** A model with its calibration: measured and kept in a file, or assumed. */
export interface CalibratedModel<File extends string | undefined> {
  readonly modelId: string;
  readonly calibration: Calibration;
  /**
   * Above 0 only with a measured calibration, because an assumed calibration may give too low a
   * relevance.
   */
  readonly defaultFloor?: number;
  readonly otherLatin?: Scale;
  /** See `Embedder.weakLevel`. Absent with an assumed calibration. */
  readonly weakLevel?: number;
  /** Whether `calibration` was measured with this model. If false, it is assumed. */
  readonly isCalibrated: boolean;
  /** The file for the calibration of the model; `undefined` if none is kept. */
  readonly calibrationFile: File;
}

/**
 * An embedder for any model. The calibration may be assumed. Call `close` to free its resources.
 */
export interface CalibratedEmbedder<File extends string | undefined>
  extends CalibratedModel<File>,
    Embedder {
  /** Refuses new texts, ends work in progress and frees the resources. */
  close(): Promise<void>;
}

/**
 * Reads the calibration of a model, or assumes one if the file has none for this model.
 *
 * @throws FAILED_PRECONDITION (CALIBRATION_UNREADABLE) when the file holds no calibration
 */
export async function readCalibratedModel<File extends string | undefined>(
  modelId: string,
  calibrationFile: File,
): Promise<CalibratedModel<File>> {
  const record =
    calibrationFile === undefined ? undefined : await readCalibration(calibrationFile, modelId);
  return {
    modelId,
    calibration: record?.calibration ?? assumedCalibration,
    defaultFloor: record === undefined ? 0 : (record.defaultFloor ?? measuredFloor),
    ...(record !== undefined && { weakLevel: measuredWeakLevel }),
    ...(record?.otherLatin && { otherLatin: record.otherLatin }),
    isCalibrated: record !== undefined,
    calibrationFile,
  };
}

/** Returns the UNAVAILABLE (EMBEDDER_UNAVAILABLE) error for texts that reach a closed embedder. */
export function embedderClosed(): VademecumError {
  return new VademecumError("UNAVAILABLE", "EMBEDDER_UNAVAILABLE", "the embedder is closed");
}
