import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isWithinEdits } from "../../core/text/edits.js";
import { ImportRefusal, type Skipped } from "./import-plan.js";

/** The names that another memory system gives to the fields of a memory. */
export interface FieldList {
  /** The name of the system. */
  readonly system: string;
  /** Fields that an import reads. */
  readonly used: readonly string[];
  /** Fields without anything to import. */
  readonly unused: readonly string[];
  /** Names that people and other programs give to used fields, without spelling (`plainName`). */
  readonly otherNames: Readonly<Record<string, string>>;
}

/** Returns a name without what the spellings of programming languages add: `userId`, `user-id`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Finds the fields of memories in any spelling. */
export class FieldNames {
  readonly #known: ReadonlyMap<string, string>;

  constructor(private readonly list: FieldList) {
    this.#known = new Map([...list.used, ...list.unused].map((name) => [plainName(name), name]));
  }

  /** Returns the field that a name stands for in one of its spellings. */
  known(name: string): string | undefined {
    return this.#known.get(plainName(name));
  }

  /** Returns the field that a name may stand for: another usual name, or two other letters. */
  meantBy(name: string): string | undefined {
    const text = plainName(name);
    const { otherNames, used } = this.list;
    if (Object.hasOwn(otherNames, text)) return otherNames[text];
    return used.find((field) => field.length > 5 && isWithinEdits(text, plainName(field), 2));
  }

  /**
   * Returns a memory whose known fields have the names of the list.
   *
   * @throws ImportRefusal when the memory has a field in two spellings with different values
   */
  usual(item: JsonObject, name: string): JsonObject {
    const usual: Record<string, JsonValue> = {};
    for (const [key, value] of Object.entries(item)) {
      const to = this.known(key) ?? key;
      const other = usual[to];
      if (value === null && other !== undefined) continue;
      if (other !== undefined && other !== null && !isSame(other, value))
        throw new ImportRefusal(`${name} has two values of "${to}", in two spellings.`);
      usual[to] = value;
    }
    return usual;
  }

  /**
   * Returns the fields that memories have and an import does not read, each with the number of
   * memories. Names the field that may have been meant.
   */
  unread(items: readonly JsonObject[]): readonly Skipped[] {
    const names = items.map((item) =>
      Object.keys(item).filter((key) => this.known(key) === undefined && item[key] !== null),
    );
    return [...counted(names.flat())].map(([key, count]) => ({
      name: `"${key}" of ${count}`,
      reason: `a field that ${this.list.system} does not write${hint(this.meantBy(key))}`,
    }));
  }

  /**
   * Returns the entries of metadata that may stand for one of `fields` under another name, each
   * with the number of memories. They stay metadata.
   */
  nearlyIn(metadata: readonly JsonObject[], fields: readonly string[]): readonly Skipped[] {
    const names = metadata.flatMap((entries) =>
      Object.keys(entries).filter((key) => {
        const meant = this.known(key) === undefined ? this.meantBy(key) : undefined;
        return meant !== undefined && fields.includes(meant) && entries[key] !== null;
      }),
    );
    return [...counted(names)].map(([key, count]) => ({
      name: `"${key}" in the metadata of ${count}`,
      reason: `an entry that stays metadata${hint(this.meantBy(key))}`,
    }));
  }

  /**
   * Adds fields that a memory has in its metadata alone. A value of the memory itself counts.
   * Reports a field with another value in the metadata.
   */
  withMetadata(
    item: JsonObject,
    metadata: JsonObject,
    fields: readonly string[],
    onUnread: (field: string) => void,
  ): JsonObject {
    const found: Record<string, JsonValue> = {};
    for (const [key, value] of Object.entries(metadata)) {
      const field = this.known(key);
      if (field === undefined || !fields.includes(field) || value === null || value === "")
        continue;
      const own = found[field] ?? item[field] ?? null;
      if (own === null || own === "") found[field] = value;
      else if (!isSame(own, value)) onUnread(field);
    }
    return { ...item, ...found };
  }
}

function hint(meant: string | undefined): string {
  return meant === undefined ? "" : `; if it is ${meant}, rename it`;
}

function isSame(a: JsonValue, b: JsonValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
