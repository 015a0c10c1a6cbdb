import type { DescMessage } from "@bufbuild/protobuf";
import { VademecumError } from "../../core/model/errors.js";

/** Runs a conversion, and puts its errors through a handler of `relocateFields`. */
export function relocated<T>(relocate: (error: unknown) => never, convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    return relocate(error);
  }
}

/**
 * Returns a handler that puts `field.` before the paths of an error, and throws the error.
 *
 * The core gets only the field `field` of a request as its input, so the paths in its errors start
 * inside this field. An empty path stands for the field itself. A path that already starts with a
 * field of the request does not change.
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
