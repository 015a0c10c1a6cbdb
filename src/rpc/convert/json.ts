import type { JsonObject as ProtoJsonObject } from "@bufbuild/protobuf";
import type { JsonObject } from "../../core/model/json.js";

/**
 * Converts a JSON object without a copy. In the types of protobuf-es, JSON is mutable, but the
 * library never changes it.
 */
export function fromJsonObject(object: JsonObject): ProtoJsonObject {
  return object as ProtoJsonObject;
}
