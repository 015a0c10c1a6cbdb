import { create } from "@bufbuild/protobuf";
import { type SearchResponse, SearchResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { Namespace } from "../../core/model/namespace.js";
import type { SearchHit, SearchResult } from "../../core/search/search.js";
import { fromSearchHit, fromSearchSummary } from "../convert/search.js";

/** What one message of a search holds: a message of its own for each hit costs half as much again as the hits. */
const hitsMax = 32;
const textMaxBytes = 64 * 1024;

/** A search result as a stream of messages, hits in their order; the last message, which may be the only one, has the summary. */
export function* searchResponses(
  result: SearchResult,
  namespace: Namespace,
  durationMs: number,
): Generator<SearchResponse> {
  for (const { hits, isLast } of hitBatches(result.hits)) {
    const response = create(SearchResponseSchema, {
      hits: hits.map((hit) => fromSearchHit(hit, namespace)),
    });
    if (isLast) response.summary = fromSearchSummary(result, durationMs);
    yield response;
  }
}

/** What one message holds. */
interface HitBatch {
  readonly hits: readonly SearchHit[];
  readonly isLast: boolean;
}

/** Hits in batches for messages: at least one, which is empty if there are no hits. */
export function* hitBatches(hits: readonly SearchHit[]): Generator<HitBatch> {
  let batch: SearchHit[] = [];
  let bytes = 0;
  for (const hit of hits) {
    const hitBytes = textBytes(hit);
    if (batch.length === hitsMax || (batch.length > 0 && bytes + hitBytes > textMaxBytes)) {
      yield { hits: batch, isLast: false };
      batch = [];
      bytes = 0;
    }
    batch.push(hit);
    bytes += hitBytes;
  }
  yield { hits: batch, isLast: true };
}

/** Of what can be large in a hit. */
function textBytes({ memory: { content, metadata } }: SearchHit): number {
  return (
    Buffer.byteLength(content) +
    (metadata === undefined ? 0 : Buffer.byteLength(JSON.stringify(metadata)))
  );
}
