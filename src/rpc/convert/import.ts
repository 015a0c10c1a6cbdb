import { create } from "@bufbuild/protobuf";
import {
  type ImportRequest,
  type ImportResponse,
  ImportResponseSchema,
  ImportMode as ProtoImportMode,
} from "#gen/vademecum/v1/export_pb.js";
import { kindName } from "../../core/transfer/export-record.js";
import {
  type ImportOptions,
  type ImportProgress,
  importModes,
} from "../../core/transfer/service.js";

/** Converts the options of the first message. */
export function toImportOptions({ mode, dryRun }: ImportRequest): ImportOptions {
  const named = importModes.find((name) => ProtoImportMode[name] === mode);
  return { mode: named ?? "SKIP", dryRun };
}

/** Converts the progress of an import. */
export function fromImportProgress(progress: ImportProgress): ImportResponse {
  const { faults, complete, ...counts } = progress;
  const entries = Object.entries(counts).map(([name, count]) => [name, BigInt(count)] as const);
  return create(ImportResponseSchema, {
    ...Object.fromEntries(entries),
    complete,
    faults: faults.map(({ record, kind, error }) => ({
      record: BigInt(record),
      kind: kindName(kind),
      reason: error.reason,
      message: error.field === undefined ? error.message : `${error.field}: ${error.message}`,
    })),
  });
}
