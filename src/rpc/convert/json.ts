import type { JsonObject as ProtoJsonObject } from "@bufbuild/protobuf";
import type { JsonObject } from "../../core/model/json.js";

/**
 * Converts a JSON object without a copy: protobuf-es types JSON as mutable, but never changes it.
 */
export function fromJsonObject(object: JsonObject): ProtoJsonObject {
  return object as ProtoJsonObject;
}
