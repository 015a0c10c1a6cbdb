import type { Namespace } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Embedders } from "../ports/embedder.js";
import type { SearchIndex } from "../ports/search-index.js";
import {
  type EmbeddedTexts,
  embedTexts,
  noTextVectors,
  type TextVectors,
} from "../vectors/text-vectors.js";
import { queryEmbedder } from "../vectors/vectors.js";
import type { SearchQuery } from "./search.js";

/** The texts of some queries, with the vectors that the server makes of them. */
export interface QueryTexts {
  /**
   * Calls `read` with the vectors of a query's text. Calls it again if `read` needs the vector of
   * another model (see `EmbeddedTexts.use`).
   */
  use<T>(query: SearchQuery, read: (vectors: TextVectors) => Promise<T>): Promise<T>;
}

/**
 * Embeds the texts of queries in one batch, when the first of them is used. Skips empty queries and
 * queries that bring their own vector.
 *
 * Requires: all queries are about one namespace.
 */
export function embedQueries(
  { index, embedders }: { readonly index: SearchIndex; readonly embedders: Embedders },
  queries: readonly SearchQuery[],
  call: Call,
): QueryTexts {
  const texts = [...new Set(queries.filter(needsVector).map(({ query }) => query))];
  const embed = async (namespace: Namespace) =>
    embedTexts(texts, queryEmbedder(await index.profileOf(namespace), embedders), call);
  let batch: Promise<EmbeddedTexts<readonly string[]>> | undefined;
  return {
    async use(query, read) {
      if (!needsVector(query)) return read(noTextVectors);
      batch ??= embed(query.namespace);
      const textAt = texts.indexOf(query.query);
      return (await batch).use((vectors) => read(vectors[textAt] ?? noTextVectors));
    },
  };
}

function needsVector({ query, queryEmbedding }: SearchQuery): boolean {
  return query !== "" && queryEmbedding === undefined;
}
