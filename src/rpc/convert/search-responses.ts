import type { SearchResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { Namespace } from "../../core/model/namespace.js";
import type { SearchHit, SearchResult } from "../../core/search/query/search.js";
import { fromSearchHit, fromSearchSummary } from "./search.js";

/**
 * Maximum number of hits in one message. A separate message for each hit would raise the cost of a
 * hit by half.
 */
const messageHitsMax = 32;

/** Maximum bytes of text in one message. A larger hit gets a message of its own. */
const messageTextMaxBytes = 64 * 1024;

/** Converts a search result to one or more messages. Only the last message has the summary. */
export function* fromSearchResult(
  result: SearchResult,
  namespace: Namespace,
  durationMs: number,
): Generator<SearchResponse> {
  for (const { hits, isLast } of splitHits(result.hits)) {
    yield {
      $typeName: "vademecum.v1.SearchResponse",
      hits: hits.map((hit) => fromSearchHit(hit, namespace)),
      summary: isLast ? fromSearchSummary(result, durationMs) : undefined,
    };
  }
}

/** The hits of one message. */
interface HitBatch {
  readonly hits: readonly SearchHit[];
  readonly isLast: boolean;
}

/** Splits hits into batches for messages. Yields one empty batch when there are no hits. */
export function* splitHits(hits: readonly SearchHit[]): Generator<HitBatch> {
  let batch: SearchHit[] = [];
  let bytes = 0;
  for (const hit of hits) {
    const hitBytes = textBytes(hit);
    const isTooLarge = batch.length > 0 && bytes + hitBytes > messageTextMaxBytes;
    if (batch.length === messageHitsMax || isTooLarge) {
      yield { hits: batch, isLast: false };
      batch = [];
      bytes = 0;
    }
    batch.push(hit);
    bytes += hitBytes;
  }
  yield { hits: batch, isLast: true };
}

/** Bytes of content and metadata, the parts of a hit that can be large. */
function textBytes({ memory: { content, metadata } }: SearchHit): number {
  return (
    Buffer.byteLength(content) +
    (metadata === undefined ? 0 : Buffer.byteLength(JSON.stringify(metadata)))
  );
}
