import type { SearchResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { Namespace } from "../../core/model/namespace.js";
import {
  messageItemsMax,
  messageTextMaxBytes,
  textBytesOf,
} from "../../core/requests/message-size.js";
import type { SearchHit, SearchResult } from "../../core/search/query/search.js";
import { fromSearchHit, fromSearchSummary } from "./search.js";

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
    const hitBytes = textBytesOf(hit.memory);
    const isTooLarge = batch.length > 0 && bytes + hitBytes > messageTextMaxBytes;
    if (batch.length === messageItemsMax || isTooLarge) {
      yield { hits: batch, isLast: false };
      batch = [];
      bytes = 0;
    }
    batch.push(hit);
    bytes += hitBytes;
  }
  yield { hits: batch, isLast: true };
}
