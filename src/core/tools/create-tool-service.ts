import { createExpressionCompiler } from "../filter/expression.js";
import { createSearcher } from "../search/searcher.js";
import { deleteTool, listTools, registerTool } from "./manifests.js";
import type { ToolServiceParts } from "./parts.js";
import { queryMemory } from "./query-memory.js";
import { ResultCache } from "./result-cache.js";
import { submitToolResponse } from "./submit-tool-response.js";
import type { ToolService } from "./tool-service.js";
import { createTurnLog } from "./turn-log.js";
import { readTurnTrace } from "./turn-trace.js";

/** The use cases of tools with what they do beside calls. */
export interface OpenedToolService extends ToolService {
  /** Resolves when all traces are written. REQUIRES: no call is running any more */
  close(): Promise<void>;
}

/** The use cases of tools over the given store, index, embedder and counter. */
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
    registerTool: (input) => registerTool(parts, input),
    listTools: (query) => listTools(parts, query),
    deleteTool: (input) => deleteTool(parts, input),
    queryMemory: (input, call) => queryMemory(queryParts, input, call),
    submitToolResponse: (input, call) => submitToolResponse(parts, input, call),
    turnTrace: (query, call) => readTurnTrace({ store: parts.store, turnLog }, query, call),
    close: () => turnLog.close(),
  };
}
