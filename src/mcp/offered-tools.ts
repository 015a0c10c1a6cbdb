import type { JsonObject } from "@bufbuild/protobuf";

/** A tool as MCP hosts see it. */
interface OfferedTool {
  /** The name of the tool on the Vademecum server. */
  readonly ownName: string;
  /** A name for people. */
  readonly title: string;
}

/**
 * The tools by the names that hosts see. A host mixes the tools of many servers, so the short names
 * of the key-value tools get a prefix here.
 */
const offeredTools: Readonly<Record<string, OfferedTool>> = {
  note_write: { ownName: "write", title: "Write a note" },
  note_read: { ownName: "read", title: "Read a note" },
  note_list: { ownName: "list", title: "List the notes" },
  note_delete: { ownName: "delete", title: "Delete a note" },
  note_pattern_search: { ownName: "pattern_search", title: "Search the names of notes" },
  list_memory_blocks: { ownName: "list_memory_blocks", title: "List the memory blocks" },
  read_memory_block: { ownName: "read_memory_block", title: "Read a memory block" },
  propose_memory_edit: { ownName: "propose_memory_edit", title: "Propose an edit of a block" },
  propose_memory_rewrite: {
    ownName: "propose_memory_rewrite",
    title: "Propose the whole text of a block",
  },
  propose_memory_append: {
    ownName: "propose_memory_append",
    title: "Propose an addition to a block",
  },
  list_my_edit_proposals: { ownName: "list_my_edit_proposals", title: "List the proposed edits" },
  add_memory: { ownName: "add_memory", title: "Remember something" },
  search_memory: { ownName: "search_memory", title: "Search the memories" },
  correct_memory: { ownName: "correct_memory", title: "Correct a memory" },
  forget_memory: { ownName: "forget_memory", title: "Forget a memory" },
};

const namesByOwn = new Map(
  Object.entries(offeredTools).map(([name, { ownName }]) => [ownName, name]),
);

/** Returns the definition of a tool for a host, from the definition that the server returns. */
export function offeredDefinition(definition: JsonObject): JsonObject {
  const { name: ownName } = definition;
  const name = typeof ownName === "string" ? namesByOwn.get(ownName) : undefined;
  const title = name === undefined ? undefined : offeredTools[name]?.title;
  // A tool of a later server keeps its name.
  if (name === undefined || title === undefined) return definition;
  return { ...definition, name, title };
}

/** Returns the server's name of a tool that a host calls. Unknown names stay as they are. */
export function ownNameOf(name: string): string {
  return Object.hasOwn(offeredTools, name) ? (offeredTools[name]?.ownName ?? name) : name;
}

/** What a host tells its model about these tools. */
export const instructions =
  "Vademecum is a memory that outlives this conversation. Search it with search_memory before you " +
  "answer questions about the user, earlier work or decisions. Remember lasting facts, " +
  "preferences and decisions with add_memory, one fact each, with its date. If a memory is wrong, " +
  "use correct_memory; if the user wants it gone, forget_memory. Memory blocks are short texts " +
  "that people maintain: read them, and propose edits with propose_memory_edit. The note tools, " +
  "if there are any, are for intermediate results of the current run.";
