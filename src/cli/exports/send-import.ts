import { create } from "@bufbuild/protobuf";
import {
  type ImportFault,
  type ImportMode,
  type ImportRequest,
  ImportRequestSchema,
  type ImportResponse,
} from "#gen/vademecum/v1/export_pb.js";
import type { Connection } from "../connection.js";
import type { NumberedRecord } from "./export-lines.js";

/** Maximum number of records in one message. */
const messageRecords = 500;

/** Size of the lines after which a message gets no further record, in bytes. */
const messageBytes = 512 * 1024;

/** How to import. */
export interface ImportChoices {
  readonly mode: ImportMode;
  readonly dryRun: boolean;
  readonly onProgress: (records: number) => void;
}

/** What an import did. */
export interface SentImport
  extends Pick<
    ImportResponse,
    "records" | "added" | "unchanged" | "replaced" | "skipped" | "refused"
  > {
  readonly faults: readonly ImportFault[];
}

/** Sends records to a server. Throws the errors of Import. */
export async function sendImport(
  records: AsyncIterable<NumberedRecord>,
  { admin }: Pick<Connection, "admin">,
  { mode, dryRun, onProgress }: ImportChoices,
): Promise<SentImport> {
  async function* requests(): AsyncGenerator<ImportRequest> {
    let request = create(ImportRequestSchema, { mode, dryRun });
    let bytes = 0;
    for await (const { record, bytes: size } of records) {
      request.records.push(record);
      bytes += size;
      if (bytes < messageBytes && request.records.length < messageRecords) continue;
      yield request;
      request = create(ImportRequestSchema);
      bytes = 0;
    }
    if (request.records.length > 0) yield request;
  }
  const faults: ImportFault[] = [];
  let last: ImportResponse | undefined;
  for await (const response of admin.import(requests())) {
    faults.push(...response.faults);
    onProgress(Number(response.records));
    last = response;
  }
  if (last === undefined) throw new Error("the server ended the import without a response");
  return { ...last, faults };
}
