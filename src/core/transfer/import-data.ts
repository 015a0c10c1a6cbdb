import { stringify } from "safe-stable-stringify";
import { VademecumError } from "../model/errors.js";
import type { Call } from "../ports/call.js";
import { type DataKind, type DataRecord, exportFormat, kindName } from "./export-record.js";
import { importGroup, type Outcome, targetOf } from "./import-group.js";
import type {
  ImportFault,
  ImportOptions,
  ImportProgress,
  ReceivedRecord,
  TransferParts,
} from "./service.js";
import { SuccessorLinks } from "./successor-links.js";

/** Maximum number of records in one transaction. */
const groupSizeMax = 256;

/** Maximum number of faults that an import returns. */
const faultsMax = 10;

/** Stores the records of an export. Yields after each batch. */
export async function* importData(
  parts: TransferParts,
  options: ImportOptions,
  batches: AsyncIterable<readonly ReceivedRecord[]>,
  call: Call,
): AsyncGenerator<ImportProgress> {
  const run = new ImportRun(parts, options, call);
  for await (const batch of batches) yield await run.take(batch);
  run.requireComplete();
}

/** Returns an INVALID_ARGUMENT (INVALID_EXPORT) error. `what` says what is wrong. */
export function invalidExport(what: string): VademecumError {
  return new VademecumError(
    "INVALID_ARGUMENT",
    "INVALID_EXPORT",
    `this is not a whole export: ${what}. Use another copy of the file, or export again`,
  );
}

/** A record with its number in the stream, from 1. */
interface Numbered {
  readonly number: number;
  readonly record: DataRecord;
}

/** The state of an import. */
class ImportRun {
  #records = 0;
  #hasHeader = false;
  #isComplete = false;
  #faults = 0;
  readonly #counts = { added: 0, unchanged: 0, replaced: 0, skipped: 0, refused: 0 };
  readonly #found = new Map<DataKind, number>();
  /** What became of the last memory or block. */
  #parent: { readonly id: string; readonly outcome: Outcome } | undefined;

  readonly #links: SuccessorLinks;

  constructor(
    private readonly parts: TransferParts,
    private readonly options: ImportOptions,
    private readonly call: Call,
  ) {
    this.#links = new SuccessorLinks(parts.store, options.dryRun);
  }

  async take(batch: readonly ReceivedRecord[]): Promise<ImportProgress> {
    const faults: ImportFault[] = [];
    const refuse = (fault: ImportFault): void => {
      this.#counts.refused += 1;
      if (this.#faults++ < faultsMax) faults.push(fault);
    };
    let group: Numbered[] = [];
    for (const received of batch) {
      this.#records += 1;
      const record = this.#dataOf(received);
      if (record === undefined) continue;
      const number = this.#records;
      this.#count(record.kind === "invalid" ? record.of : record.kind);
      if (record.kind === "invalid") {
        if (!isEarlier(record.of)) {
          await this.#store(group, refuse);
          group = [];
          this.#parent = undefined;
        }
        refuse({ record: number, kind: record.of, error: record.error });
        continue;
      }
      if (!belongsTo(group, record)) {
        await this.#store(group, refuse);
        group = [];
      }
      group.push({ number, record });
    }
    await this.#store(group, refuse);
    if (this.#isComplete)
      for (const { number, error } of await this.#links.removeLost())
        if (this.#faults++ < faultsMax) faults.push({ record: number, kind: "memory", error });
    return {
      ...{ records: this.#records, ...this.#counts, faults, complete: this.#isComplete },
    };
  }

  requireComplete(): void {
    if (!this.#isComplete) throw invalidExport("it ends before its trailer: it was cut off");
  }

  /** Checks the order of the records. Returns `undefined` for the header and the trailer. */
  #dataOf(
    received: ReceivedRecord,
  ): DataRecord | Extract<ReceivedRecord, { kind: "invalid" }> | undefined {
    if (this.#isComplete) throw invalidExport(`record ${this.#records} follows its trailer`);
    if (received.kind === "header") {
      if (this.#hasHeader) throw invalidExport(`record ${this.#records} is a second header`);
      const { format, productVersion } = received.header;
      if (format !== exportFormat)
        throw invalidExport(
          `it has format ${format}, made by version ${productVersion}, and this version reads ` +
            `format ${exportFormat}`,
        );
      this.#hasHeader = true;
      return undefined;
    }
    if (!this.#hasHeader) throw invalidExport("it does not begin with a header");
    if (received.kind !== "trailer") return received;
    for (const kind of new Set([...received.counts.keys(), ...this.#found.keys()])) {
      const found = this.#found.get(kind) ?? 0;
      const counted = received.counts.get(kind) ?? 0;
      if (found !== counted)
        throw invalidExport(
          `its trailer counts ${counted} records of the kind ${kindName(kind)}, and it holds ${found}`,
        );
    }
    this.#isComplete = true;
    return undefined;
  }

  #count(kind: DataKind): void {
    this.#found.set(kind, (this.#found.get(kind) ?? 0) + 1);
  }

  async #store(group: readonly Numbered[], refuse: (fault: ImportFault) => void): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    const isContinued = isEarlier(first.record.kind) && this.#parent?.id === idOf(first.record);
    const parent = isContinued ? this.#parent?.outcome : undefined;
    const records = group.map(({ record }) => record);
    const outcomes = await importGroup(this.parts, { records, parent }, this.options, this.call);
    for (const [at, { number, record }] of group.entries()) {
      const outcome = outcomes[at] as Outcome;
      if (outcome instanceof VademecumError)
        refuse({ record: number, kind: record.kind, error: outcome });
      else this.#counts[outcome] += 1;
      if (record.kind === "memory" && isStored(outcome)) this.#links.add(number, record);
      if (!isEarlier(record.kind)) this.#parent = { id: idOf(record), outcome };
    }
  }
}

/** Whether the store has the record as it came. A dry run only finds that out. */
function isStored(outcome: Outcome): boolean {
  return outcome === "added" || outcome === "replaced" || outcome === "unchanged";
}

/** Whether a record can be stored in one transaction with the records of a group. */
function belongsTo(group: readonly Numbered[], record: DataRecord): boolean {
  const last = group.at(-1)?.record;
  if (last === undefined) return true;
  if (isEarlier(record.kind)) return idOf(last) === idOf(record) && group.length < groupSizeMax;
  // A commit gives one number to the blocks, and one position to the keys, that it creates.
  if (record.kind === "block" || record.kind === "key" || last.kind.startsWith("block"))
    return false;
  return group.length < groupSizeMax && stringify(targetOf(last)) === stringify(targetOf(record));
}

function isEarlier(kind: DataKind): boolean {
  return kind === "memoryVersion" || kind === "blockVersion";
}

/** Returns what a memory or block has in common with its earlier versions, and with no other. */
function idOf(record: DataRecord): string {
  switch (record.kind) {
    case "memory":
    case "memoryVersion":
      return stringify(["memory", record.namespace, record.version.memory.id]);
    case "block":
    case "blockVersion":
      return stringify(["block", record.userId, record.label]);
    case "proposal":
    case "skill":
    case "key":
    case "turnEntry":
      return "";
  }
}
