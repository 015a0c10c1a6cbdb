import { VademecumError } from "../core/model/errors.js";

/** Returns the DATA_LOSS (MODEL_DAMAGED) error for a model that comes with Vademecum. */
export function modelDamaged(folder: string, why: string, cause?: unknown): VademecumError {
  return new VademecumError(
    "DATA_LOSS",
    "MODEL_DAMAGED",
    `the model in ${folder} ${why}; install the files again`,
    { cause },
  );
}
