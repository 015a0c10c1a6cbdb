import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Skill } from "../model/skill.js";
import { skillText } from "../model/skill-text.js";
import type { Reader, ScanRange, VectorProfile, VectorTable } from "../ports/store.js";

/** Records of a namespace that are found by their texts: where the store has them and their vectors, and how the index sees them. Each has vectors of one model, apart from those of the others. */
export interface Collection {
  /** The table of the records. */
  readonly table: "memories" | "skills";
  /** Key of what their vectors are, in the table `profiles`. */
  readonly profileKey: string;
  /** Tables of their vectors: the first is in use unless the profile names the other, which Reindex fills. */
  readonly vectorTables: readonly [VectorTable, VectorTable];
  /** A record as a memory whose content is the text that it is found by. */
  get(reader: Reader, namespace: Namespace, id: string): Promise<Memory | undefined>;
  /** All records likewise, by id. */
  scan(
    reader: Reader,
    namespace: Namespace,
    range?: ScanRange,
  ): AsyncIterable<readonly [id: string, record: Memory]>;
}

/** What MemoryProvider keeps. */
export const memoryCollection: Collection = {
  table: "memories",
  profileKey: "vectors",
  vectorTables: ["vectors", "alternateVectors"],
  get: (reader, namespace, id) => reader.get("memories", namespace, id),
  scan: (reader, namespace, range) => reader.scan("memories", namespace, range),
};

/** What SkillService keeps. In the index a skill's tool is the memory's kind. */
export const skillCollection: Collection = {
  table: "skills",
  profileKey: "skills",
  vectorTables: ["skillVectors", "alternateSkillVectors"],
  async get(reader, namespace, id) {
    const skill = await reader.get("skills", namespace, id);
    return skill && memoryOfSkill(skill);
  },
  async *scan(reader, namespace, range) {
    for await (const [id, skill] of reader.scan("skills", namespace, range))
      yield [id, memoryOfSkill(skill)];
  },
};

/** The table that holds a namespace's vectors. */
export function vectorTableOf(
  profile: VectorProfile | undefined,
  { vectorTables }: Collection = memoryCollection,
): VectorTable {
  return profile?.table ?? vectorTables[0];
}

/** The table that holds none, or what Reindex is about to put in use. */
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
