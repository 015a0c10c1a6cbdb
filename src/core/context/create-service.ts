import { createExpressionCompiler } from "../filter/expression.js";
import { createSearcher } from "../search/searcher.js";
import { buildContext } from "./build.js";
import type { ContextService, ContextServiceParts } from "./service.js";

/** Creates the use case of contexts. */
export function createContextService(parts: ContextServiceParts): ContextService {
  const compileExpression = createExpressionCompiler();
  const all = { ...parts, searcher: createSearcher({ ...parts, compileExpression }) };
  return { build: (query, call) => buildContext(all, query, call) };
}
