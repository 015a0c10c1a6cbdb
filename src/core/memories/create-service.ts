import { createExpressionCompiler } from "../filter/expression.js";
import { createSearcher } from "../search/searcher.js";
import { addMemory } from "./add.js";
import { addMany } from "./add-many.js";
import { addTrace } from "./add-trace.js";
import { openBatch } from "./batch.js";
import { countMemories } from "./count.js";
import { deleteMemories, deleteMemory, deleteWhere } from "./delete.js";
import { getAllMemories, getMemories, getMemory } from "./read.js";
import { redactVersion } from "./redact.js";
import { reset } from "./reset.js";
import { restoreMemory } from "./restore.js";
import type { MemoryService, MemoryServiceParts } from "./service.js";
import { updateMemory } from "./update.js";
import { listVersions } from "./versions.js";

/** Creates the use cases of memories. */
export function createMemoryService(
  adapters: Omit<MemoryServiceParts, "compileExpression">,
): MemoryService {
  const parts: MemoryServiceParts = { ...adapters, compileExpression: createExpressionCompiler() };
  const searcher = createSearcher(parts);
  return {
    add: (input, call) => addMemory(parts, { rpc: "Add", input, findsNearDuplicates: true }, call),
    addMany: (input, call) => addMany(parts, input, call),
    openBatch: (call) => openBatch(parts, call),
    addTrace: (input, call) => addTrace(parts, input, call),
    search: (query, call) => searcher.search(query, call),
    recall: (query, call) => searcher.recall(query, call),
    explain: (query, id, call) => searcher.explain(query, id, call),
    explainSearch: (query, followed, call) => searcher.explainSearch(query, followed, call),
    getAll: (query, call) => getAllMemories(parts, query, call),
    count: (query, call) => countMemories(parts, query, call),
    get: (query, call) => getMemory(parts, query, call),
    getMany: (query, call) => getMemories(parts, query, call),
    listVersions: async (query) => {
      const { items: versions, nextPageToken } = await listVersions(parts, query);
      return { versions, nextPageToken };
    },
    restore: (input, call) => restoreMemory(parts, input, call),
    redactVersion: (input, call) => redactVersion(parts, input, call),
    update: (input, call) => updateMemory(parts, input, call),
    delete: (input, call) => deleteMemory(parts, input, call),
    deleteMany: (input, call) => deleteMemories(parts, input, call),
    deleteWhere: (input, call) => deleteWhere(parts, input, call),
    reset: (input, call) => reset(parts, input, call),
  };
}
