import { create } from "@bufbuild/protobuf";
import type { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import {
  type ExportRecord as ExportRecordMessage,
  ExportRecordSchema,
  ExportResponseSchema,
  type ImportRequest,
  ImportRequestSchema,
} from "#gen/vademecum/v1/export_pb.js";
import { invalidField, VademecumError } from "../../core/model/errors.js";
import type { ImportOptions, ReceivedRecord } from "../../core/transfer/service.js";
import type { HandlersOf } from "../adapt/handler.js";
import { throwNotedFault } from "../adapt/part-faults.js";
import { fromExportRecord, textLengthOf, toExportQuery } from "../convert/export.js";
import { fromImportProgress, toImportOptions } from "../convert/import.js";
import { toExportRecord } from "../convert/import-record.js";
import type { Validator } from "../validation/validator.js";
import type { TransferRpcsParts } from "./parts.js";

type TransferHandlers = Pick<HandlersOf<typeof AdminService>, "export" | "import">;

/** Length of the texts after which a reply of Export gets no further record, in UTF-16 units. */
const replyLength = 128 * 1024;

/** Maximum number of records in a reply of Export. */
const replyRecordsMax = 500;

/** Creates the RPCs that export data and import it again. */
export function createTransferHandlers({
  transfers,
  backups,
  validator,
}: TransferRpcsParts): TransferHandlers {
  const receivedIn = ({ records }: ImportRequest): readonly ReceivedRecord[] =>
    records.map((record) => toReceivedRecord(record, validator));
  return {
    export: async function* (request, call) {
      const isOfAll = request.users.length === 0 && request.runs.length === 0;
      let records: ExportRecordMessage[] = [];
      let length = 0;
      for await (const record of transfers.exportData(toExportQuery(request, call), call)) {
        const isLast = record.kind === "trailer";
        const moved = isLast && isOfAll ? await backups.movedUsers() : undefined;
        records.push(fromExportRecord(record, moved));
        length += textLengthOf(record);
        if (!isLast && length < replyLength && records.length < replyRecordsMax) continue;
        yield create(ExportResponseSchema, { records });
        records = [];
        length = 0;
      }
    },
    import: async function* (requests, call) {
      const iterator = requests[Symbol.asyncIterator]();
      const next = async (): Promise<ImportRequest | undefined> => {
        const result = await iterator.next();
        if (result.done === true) return undefined;
        validator.validate(ImportRequestSchema, result.value);
        return result.value;
      };
      const first = await next();
      async function* batches(): AsyncGenerator<readonly ReceivedRecord[]> {
        for (let request = first; request !== undefined; request = await next())
          yield receivedIn(request);
      }
      const options: ImportOptions =
        first === undefined ? { mode: "SKIP", dryRun: false } : toImportOptions(first);
      for await (const progress of transfers.importData(options, batches(), call))
        yield fromImportProgress(progress);
    },
  };
}

/**
 * Converts a record. A record of a user or run that breaks a rule becomes an `invalid` one, so that
 * it fails alone.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when the record has no kind, or when the header or the
 *   trailer breaks a rule
 */
function toReceivedRecord(message: ExportRecordMessage, validator: Validator): ReceivedRecord {
  const { record } = message;
  const { case: kind } = record;
  if (kind === undefined) throw invalidField("record", "is required");
  try {
    throwNotedFault(message);
    validator.validate(ExportRecordSchema, message);
    return toExportRecord(record, validator);
  } catch (error) {
    const isOfData = kind !== "header" && kind !== "trailer";
    if (isOfData && error instanceof VademecumError) return { kind: "invalid", of: kind, error };
    throw error;
  }
}
