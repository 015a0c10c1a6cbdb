import { ByteReader } from "./byte-reader.js";
import { readLogRecords } from "./log-records.js";

/**
 * Tags of the fields of an edit (`db/version_edit.cc` of LevelDB). An edit is one record of a
 * manifest, and lists added and deleted table files.
 */
const tags = {
  comparator: 1,
  logNumber: 2,
  nextFileNumber: 3,
  lastSequence: 4,
  compactPointer: 5,
  deletedFile: 6,
  newFile: 7,
  previousLogNumber: 9,
} as const;

/** The content of a manifest. */
export interface Manifest {
  /** Sizes in bytes of the table files in use, by file number. */
  readonly tables: ReadonlyMap<number, number>;
  /** See `LogRecords.intactBytes`. */
  readonly intactBytes: number;
  readonly damage: string | undefined;
}

/** Reads and checks a manifest, which lists all changes to the set of table files. */
export function readManifest(file: Buffer): Manifest {
  const { records, intactBytes, damage } = readLogRecords(file);
  const tables = new Map<number, number>();
  try {
    for (const record of records) applyEdit(record, tables);
  } catch (error) {
    if (error instanceof RangeError) return { tables, intactBytes, damage: error.message };
    throw error;
  }
  return { tables, intactBytes, damage };
}

function applyEdit(edit: Buffer, tables: Map<number, number>): void {
  const reader = new ByteReader(edit);
  while (reader.position < edit.length) {
    const tag = reader.varint();
    switch (tag) {
      case tags.comparator:
        reader.lengthPrefixed();
        break;
      case tags.logNumber:
      case tags.nextFileNumber:
      case tags.lastSequence:
      case tags.previousLogNumber:
        reader.varint();
        break;
      case tags.compactPointer:
        reader.varint();
        reader.lengthPrefixed();
        break;
      case tags.deletedFile:
        reader.varint();
        tables.delete(reader.varint());
        break;
      case tags.newFile: {
        reader.varint();
        const number = reader.varint();
        tables.set(number, reader.varint());
        reader.lengthPrefixed();
        reader.lengthPrefixed();
        break;
      }
      default:
        throw new RangeError(`an edit with the unknown field ${tag}`);
    }
  }
}
