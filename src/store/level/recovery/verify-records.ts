import { type Namespace, scopeText } from "../../../core/model/namespace.js";
import type { Table } from "../../../core/ports/store.js";
import { unseal } from "../../codec/envelope.js";
import { decodeChecked, UnreadableRecord, VectorLengths } from "../../codec/record-check.js";
import { TableLinks } from "../../codec/table-links.js";
import { type Database, readSealed } from "../folder/database.js";
import { holdsSomething, noTotals, type TableTotals } from "../format/heads.js";
import { crossUserKey } from "../format/keys.js";
import type { ParsedKey } from "../format/parse-key.js";
import { type Finding, restoreOrRescue } from "./damage.js";
import { FoundUsages } from "./found-usages.js";
import {
  type FoundHead,
  type FoundRecord,
  FoundTotals,
  type OwnerTotals,
  ownerId,
  ownerOf,
  type RecordOwner,
  surveyHeads,
  surveyRecords,
  unusedOwners,
} from "./survey.js";

/** The number of records, and their damage. */
export interface VerifiedRecords {
  /** Empty if nothing is damaged. */
  readonly findings: readonly Finding[];
  /** Number of namespaces whose heads are readable and count at least one record. */
  readonly namespaces: number;
  /** Number of readable records of all tables. */
  readonly records: number;
}

/** Maximum number of records with one kind of fault that are listed one by one. */
const maxListed = 1000;

/** Findings about single records. Lists the first ones, and counts the others. */
class ListedFindings {
  #count = 0;

  /** @param others says what is wrong with the records that are not listed, after their number */
  constructor(
    private readonly findings: Finding[],
    private readonly others: string,
  ) {}

  add(where: string, what: string): void {
    if (++this.#count <= maxListed) this.findings.push(finding(where, what));
  }

  /** Adds the number of the records that are not listed. */
  end(): void {
    if (this.#count > maxListed)
      this.findings.push(finding("records", `${this.#count - maxListed} more ${this.others}`));
  }
}

/** How to check records. */
export interface VerifyOptions {
  /**
   * Whether to compare tables with each other too (`TableLinks`). Requires: the services wrote the
   * records. Default: false.
   */
  readonly links?: boolean;
}

/** Checks every record, and compares the totals of all tables with the heads. */
export async function verifyRecords(
  database: Database,
  { links: comparesTables = false }: VerifyOptions = {},
): Promise<VerifiedRecords> {
  const findings: Finding[] = [];
  const found = new FoundTotals();
  let records = 0;
  const damaged = new ListedFindings(findings, "are damaged");
  const faulty = new ListedFindings(findings, "cannot be read by any call");
  const unlisted = new ListedFindings(findings, "are missing in the listing of all users");
  const vectors = new VectorLengths();
  const links = new LinksOfOwners(findings);
  const unused = await unusedOwners(database, (note) =>
    damaged.add(describeKey(note), "is damaged: wrong key or checksum"),
  );
  // Reported even if no record is missing, for example if the damaged entry is an old version of a
  // readable record. The store would refuse to read the range of the damaged entry.
  let unreadable: Error | undefined;
  const onDamage = (error: Error): void => {
    unreadable ??= error;
  };
  for await (const entry of surveyRecords(database, onDamage)) {
    if (entry.kind === "damaged") {
      damaged.add(describeKey(entry.parsed), "is damaged: wrong key or checksum");
      continue;
    }
    found.add(entry);
    records++;
    const owner = ownerOf(entry.record);
    const isLinked = comparesTables && !unused.has(ownerId(owner));
    const decoded = decodedOrFault(entry);
    if ("fault" in decoded)
      faulty.add(describeKey(entry.record), `cannot be read by any call: ${decoded.fault}`);
    else {
      const { table, key } = entry.record;
      vectors.add(ownerId(owner), table, key, decoded.value);
      if (isLinked) links.add(owner, table, key, decoded.value);
    }
    const note = crossUserKey(entry.key);
    if (note !== undefined && readNote(database, note)?.equals(entry.key) !== true)
      unlisted.add(describeKey(entry.record), "is missing in the listing of all users");
  }
  for (const { owner, fault } of vectors.faults())
    if (!unused.has(owner)) findings.push(finding("vectors", fault));
  for (const listed of [damaged, faulty, unlisted]) listed.end();
  links.end();
  let namespaces = 0;
  const usages = new FoundUsages();
  for await (const head of surveyHeads(database, onDamage)) {
    if (head.kind === "damaged") {
      findings.push(finding(describeKey(head.parsed), "is damaged: wrong key or checksum"));
      continue;
    }
    if (head.kind === "namespace" && holdsSomething(head.head.tables)) namespaces++;
    const owner = ownerOfHead(head);
    const totals = found.take(owner);
    const differences = [...compareTotals(owner, head.head.tables, totals.tables)];
    findings.push(...differences);
    usages.add(head, totals, differences.length > 0);
  }
  for (const { scope, what } of usages.differences())
    findings.push(finding(scopeText(scope), what));
  for (const rest of found.rest()) findings.push(...describeRest(rest, unused));
  if (unreadable !== undefined)
    findings.push(finding("records", `LevelDB cannot read every entry: ${unreadable.message}`));
  return { findings, namespaces, records };
}

/** Compares the tables of each owner. Requires: the records of an owner come one after another. */
class LinksOfOwners {
  #owner: RecordOwner | undefined;
  #id = "";
  #links = new TableLinks();

  constructor(private readonly findings: Finding[]) {}

  add(owner: RecordOwner, table: Table, key: string, value: unknown): void {
    const id = ownerId(owner);
    if (id !== this.#id) this.end();
    this.#owner = owner;
    this.#id = id;
    this.#links.add(table, key, value);
  }

  /** Adds what does not fit in the tables of the last owner. */
  end(): void {
    if (this.#owner === undefined) return;
    for (const fault of this.#links.faults())
      this.findings.push(finding(describeOwner(this.#owner), fault));
    this.#owner = undefined;
    this.#links = new TableLinks();
  }
}

/** Decodes an undamaged record, or returns why no call could read it. */
function decodedOrFault({
  record,
  key,
  value,
}: FoundRecord): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: decodeChecked(record.table, record.key, unseal(key, value) ?? noBytes) };
  } catch (error) {
    if (error instanceof UnreadableRecord) return { fault: error.message };
    throw error;
  }
}

const noBytes = new Uint8Array(0);

/** Returns the readable content of a note on a record; `undefined` if it is missing or damaged. */
function readNote(database: Database, key: Buffer): Buffer | undefined {
  try {
    const value = readSealed(database, key);
    return value && unseal(key, value);
  } catch {
    return undefined;
  }
}

function finding(where: string, what: string): Finding {
  return { where, what, remedy: restoreOrRescue };
}

function ownerOfHead(head: FoundHead): RecordOwner {
  if (head.kind === "scope") return { kind: "scope", scope: head.scope, place: head.head.place };
  return { kind: "namespace", namespace: head.namespace, place: head.head.place };
}

function* compareTotals(
  owner: RecordOwner,
  expected: TableTotals,
  found: TableTotals,
): Generator<Finding> {
  for (const table of new Set([...expected.keys(), ...found.keys()])) {
    const expectedTotals = expected.get(table) ?? noTotals;
    const foundTotals = found.get(table) ?? noTotals;
    if (expectedTotals.count === foundTotals.count && expectedTotals.digest === foundTotals.digest)
      continue;
    const what =
      expectedTotals.count === foundTotals.count
        ? "the number of records is right, but their content is not. Some records are older " +
          "versions, or deleted records have replaced lost ones"
        : `${foundTotals.count} records are readable, but the head counts ${expectedTotals.count}`;
    yield finding(`${table} of ${describeOwner(owner)}`, what);
  }
}

/**
 * Reports records that no readable head counts. These records were deleted and have come back, or
 * their head is damaged or lost. Records of the owners in `unused` are not reported, because the
 * sweeper is about to remove them.
 */
function* describeRest({ owner }: OwnerTotals, unused: ReadonlySet<string>): Generator<Finding> {
  if (unused.has(ownerId(owner))) return;
  yield finding(describeOwner(owner), "has records that no readable head counts");
}

function describeOwner(owner: RecordOwner): string {
  return owner.kind === "scope" ? scopeText(owner.scope) : describeNamespace(owner.namespace);
}

function describeNamespace({ userId, agentId, tenant }: Namespace): string {
  const text = `user ${JSON.stringify(userId)}, agent ${JSON.stringify(agentId)}`;
  return text + describeTenant({ tenant });
}

function describeTenant({ tenant }: { readonly tenant?: string | undefined }): string {
  return tenant === undefined ? "" : `, tenant ${JSON.stringify(tenant)}`;
}

function describeKey(parsed: ParsedKey | undefined): string {
  switch (parsed?.kind) {
    case "scopeRecord":
      return `${parsed.table} ${JSON.stringify(parsed.key)} of ${scopeText(parsed.scope)}`;
    case "namespaceRecord":
      return `${parsed.table} ${JSON.stringify(parsed.key)} of ${describeNamespace(parsed.namespace)}`;
    case "scopeHead":
      return `the head of ${scopeText(parsed.scope)}`;
    case "namespaceHead":
      return `the head of ${describeNamespace(parsed.namespace)}`;
    case "sweep":
      return `the note that records of ${scopeText(parsed.scope)} are to be removed`;
    case "meta":
    case "mark":
    case "change":
    case undefined:
      return "a record with an unexpected key";
  }
}
