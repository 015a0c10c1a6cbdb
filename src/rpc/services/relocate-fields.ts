import type { DescMessage } from "@bufbuild/protobuf";
import { VademecumError } from "../../core/model/errors.js";

/**
 * Makes a handler of rejections for an input of the core that is the field `field` of a request.
 * The core names fields as its input has them; an empty path stands for the input itself. The handler puts `field.` before each path that does
 * not start with a field of the request itself, and throws.
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
