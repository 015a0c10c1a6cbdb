import type { DescMessage } from "@bufbuild/protobuf";
import { VademecumError } from "../../core/model/errors.js";

/**
 * Returns a handler that puts `field.` before the paths of an error, and throws the error.
 *
 * The core receives the field `field` of a request as its input, and names paths within that input;
 * an empty path stands for the input itself. A path that starts with a field of the request is
 * not changed.
 */
export function relocateFields(request: DescMessage, field: string): (error: unknown) => never {
  const toPath = (path: string) => {
    if (path === "") return field;
    const start = path.split(/[.[]/, 1)[0];
    return request.fields.some(({ name }) => name === start) ? path : `${field}.${path}`;
  };
  return (error) => {
    throw error instanceof VademecumError ? error.withPaths(toPath) : error;
  };
}
