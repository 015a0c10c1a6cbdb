import { create } from "@bufbuild/protobuf";
import { type SearchResponse, SearchResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { Namespace } from "../core/namespace.js";
import type { SearchHit, SearchResult } from "../core/search/search.js";
import { fromSearchHit, fromSearchSummary } from "./convert/search.js";

/** What one message of a search holds: a message of its own for each hit costs half as much again as the hits. */
const hitsMax = 32;
const textMaxBytes = 64 * 1024;

/** A search result as a stream of messages, hits in their order; the last message, which may be the only one, has the summary. */
export function* searchResponses(result: SearchResult, namespace: Namespace, durationMs: number): Generator<SearchResponse> {
  const responses = [...hitBatches(result.hits)].map((hits) =>
    create(SearchResponseSchema, { hits: hits.map((hit) => fromSearchHit(hit, namespace)) }),
  );
  for (const [at, response] of responses.entries()) {
    if (at === responses.length - 1) response.summary = fromSearchSummary(result, durationMs);
    yield response;
  }
}

/** Hits in the batches that messages hold: at least one, which is empty if there are no hits. */
export function* hitBatches(hits: readonly SearchHit[]): Generator<readonly SearchHit[]> {
  let batch: SearchHit[] = [];
  let bytes = 0;
  for (const hit of hits) {
    const hitBytes = textBytes(hit);
    if (batch.length === hitsMax || (batch.length > 0 && bytes + hitBytes > textMaxBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(hit);
    bytes += hitBytes;
  }
  yield batch;
}

/** Of what can be large in a hit. */
function textBytes({ memory: { content, metadata } }: SearchHit): number {
  return Buffer.byteLength(content) + (metadata === undefined ? 0 : Buffer.byteLength(JSON.stringify(metadata)));
}
