import type { DescMessage } from "@bufbuild/protobuf";
import { VademecumError } from "../../core/model/errors.js";

/**
 * The domain names fields as its own inputs have them. Where a request has such an input inside of `field`, the paths must begin there.
 * Throws the error with each path so that does not begin with a field of the request.
 */
export function rethrowWithFieldsIn(
  request: DescMessage,
  field: string,
): (error: unknown) => never {
  return (error) => {
    throw error instanceof VademecumError ? withFieldsIn(error, request, field) : error;
  };
}

function withFieldsIn(error: VademecumError, request: DescMessage, prefix: string): VademecumError {
  const relocate = (path: string) =>
    request.fields.some(({ name }) => path.split(/[.[]/, 1)[0] === name)
      ? path
      : `${prefix}.${path}`;
  const [first] = error.fields;
  if (first === undefined) return error;
  // Messages begin with the path of the first field.
  const message = error.message.startsWith(`${first.field}:`)
    ? relocate(first.field) + error.message.slice(first.field.length)
    : error.message;
  const fields = error.fields.map(({ field, description }) => ({
    field: relocate(field),
    description,
  }));
  const { code, reason, retryAfterMs, cause } = error;
  return new VademecumError(code, reason, message, {
    fields,
    cause,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
