import { create } from "@bufbuild/protobuf";
import type { SearchResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import {
  type SearchHit,
  type SearchSummary,
  SearchSummarySchema,
} from "#gen/vademecum/v1/search_pb.js";
import type { ResponseStream } from "./calls.js";

/** A complete search result. */
export interface SearchResult {
  /** The hits, best first. */
  readonly hits: readonly SearchHit[];
  /**
   * Says how many memories matched, and how many of them were returned. Lists up to 100 of the
   * matches that were left out.
   */
  readonly summary: SearchSummary;
}

/**
 * The hits of a search as they arrive, best first: `for await (const hit of stream)`. Read the
 * stream once. Leaving the loop ends the search.
 */
export class SearchStream implements AsyncIterable<SearchHit> {
  readonly #responses: ResponseStream<SearchResponse>;
  #summary: SearchSummary | undefined;

  constructor(responses: ResponseStream<SearchResponse>) {
    this.#responses = responses;
  }

  /**
   * Says how many memories matched, how many of them were returned, and which were left out. May be
   * `undefined` until the loop over the hits has ended.
   */
  get summary(): SearchSummary | undefined {
    return this.#summary;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SearchHit, void, undefined> {
    for await (const { hits, summary } of this.#responses) {
      yield* hits;
      this.#summary = summary ?? this.#summary;
    }
  }

  /** Waits for all hits and the summary. */
  async collect(): Promise<SearchResult> {
    const hits: SearchHit[] = [];
    for await (const hit of this) hits.push(hit);
    return { hits, summary: this.#summary ?? create(SearchSummarySchema) };
  }
}
