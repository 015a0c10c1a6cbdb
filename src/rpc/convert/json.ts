import type { JsonObject as ProtoJsonObject } from "@bufbuild/protobuf";
import type { JsonObject } from "../../core/model/json.js";

/** protobuf-es types JSON as mutable, but leaves what it is given to write as it is. */
export function fromJsonObject(object: JsonObject): ProtoJsonObject {
  return object as ProtoJsonObject;
}
