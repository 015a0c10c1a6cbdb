import { createExpressionCompiler } from "../filter/expression.js";
import { createSearcher } from "../search/searcher.js";
import { listTurnEntries, listTurns } from "./list-turns.js";
import { deleteTool, listTools, registerTool } from "./manifests.js";
import { queryMemory } from "./query-memory.js";
import { readTurnTrace } from "./read-trace.js";
import { ResultCache } from "./result-cache.js";
import type { ToolService, ToolServiceParts } from "./service.js";
import { submitToolResponse } from "./submit-tool-response.js";
import { createTurnLog } from "./turn-log.js";

/** The use cases of tools, with their background work. */
export interface OpenedToolService extends ToolService {
  /** Resolves when all traces are written. Requires: no call is running. */
  close(): Promise<void>;
}

/** Creates the use cases of tools. */
export function createToolService(
  adapters: Omit<ToolServiceParts, "compileExpression">,
): OpenedToolService {
  const parts = { ...adapters, compileExpression: createExpressionCompiler() };
  const turnLog = createTurnLog(parts);
  const queryParts = {
    ...parts,
    searcher: createSearcher(parts),
    cache: new ResultCache(),
    turnLog,
  };
  return {
    registerTool: (input, allowance) => registerTool(parts, input, allowance),
    listTools: (query) => listTools(parts, query),
    deleteTool: (input, allowance) => deleteTool(parts, input, allowance),
    queryMemory: (input, call) => queryMemory(queryParts, input, call),
    submitToolResponse: (input, call) => submitToolResponse(queryParts, input, call),
    turnTrace: (query, call) => readTurnTrace({ store: parts.store, turnLog }, query, call),
    listTurnEntries: (query, call) => listTurnEntries({ store: parts.store, turnLog }, query, call),
    listTurns: (query, call) => listTurns({ store: parts.store, turnLog }, query, call),
    close: () => turnLog.close(),
  };
}
