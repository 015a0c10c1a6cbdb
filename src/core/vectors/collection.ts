import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Skill } from "../model/skill.js";
import { skillText } from "../model/skill-text.js";
import type { ScanRange } from "../ports/scan-range.js";
import type {
  Reader,
  RecentCommits,
  RecentRecord,
  VectorProfile,
  VectorTable,
} from "../ports/store.js";

/**
 * A kind of record that is searched by text. Says where the store keeps the records and their
 * vectors, and how the index reads them. Each collection of a namespace has a model of its own.
 */
export interface Collection {
  /** The table of the records. */
  readonly table: "memories" | "skills";
  /** Key of the records' vector profile, in the table `profiles`. */
  readonly profileKey: string;
  /**
   * Tables of the records' vectors. The first table is in use unless the profile names the second.
   * Reindex fills the table that is not in use.
   */
  readonly vectorTables: readonly [VectorTable, VectorTable];
  /** Returns a record as a memory whose content is the text to search. */
  get(reader: Pick<Reader, "get">, namespace: Namespace, id: string): Promise<Memory | undefined>;
  /** Returns a record, as `get` does, from recent commits. */
  recent(commits: RecentCommits, namespace: Namespace, id: string): RecentRecord<Memory>;
  /** Iterates over all records as memories, by id. */
  scan(
    reader: Reader,
    namespace: Namespace,
    range?: ScanRange,
  ): AsyncIterable<readonly [id: string, record: Memory]>;
}

/** The memories of MemoryProvider. */
export const memoryCollection: Collection = {
  table: "memories",
  profileKey: "vectors",
  vectorTables: ["vectors", "alternateVectors"],
  get: (reader, namespace, id) => reader.get("memories", namespace, id),
  recent: (commits, namespace, id) => commits.get("memories", namespace, id),
  scan: (reader, namespace, range) => reader.scan("memories", namespace, range),
};

/**
 * The skills of SkillService. The index holds a skill as a memory whose `kind` is the tool of the
 * skill.
 */
export const skillCollection: Collection = {
  table: "skills",
  profileKey: "skills",
  vectorTables: ["skillVectors", "alternateSkillVectors"],
  async get(reader, namespace, id) {
    const skill = await reader.get("skills", namespace, id);
    return skill && memoryOfSkill(skill);
  },
  recent(commits, namespace, id) {
    const skill = commits.get("skills", namespace, id);
    return typeof skill === "string" ? skill : { value: memoryOfSkill(skill.value) };
  },
  async *scan(reader, namespace, range) {
    for await (const [id, skill] of reader.scan("skills", namespace, range))
      yield [id, memoryOfSkill(skill)];
  },
};

/** Returns the table that holds the namespace's vectors. */
export function vectorTableOf(
  profile: VectorProfile | undefined,
  { vectorTables }: Collection = memoryCollection,
): VectorTable {
  return profile?.table ?? vectorTables[0];
}

/** Returns the table that is not in use: empty, or being filled by Reindex. */
export function otherVectorTable(
  profile: VectorProfile | undefined,
  collection: Collection = memoryCollection,
): VectorTable {
  const [first, second] = collection.vectorTables;
  return vectorTableOf(profile, collection) === first ? second : first;
}

function memoryOfSkill(skill: Skill): Memory {
  const { id, toolName, createTime } = skill;
  return {
    id,
    content: skillText(skill),
    memoryType: "SEMANTIC",
    tags: [],
    importance: 0,
    status: "ACTIVE",
    restricted: false,
    createTime,
    updateTime: createTime,
    version: 1,
    tokenCount: 0,
    ...(toolName !== undefined && { kind: toolName }),
  };
}
