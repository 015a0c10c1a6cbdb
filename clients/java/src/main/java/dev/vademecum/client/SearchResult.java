package dev.vademecum.client;

import dev.vademecum.v1.SearchHit;
import dev.vademecum.v1.SearchSummary;
import java.util.List;

/**
 * A complete search result.
 *
 * @param hits the hits, best first
 * @param summary how many memories matched and were returned, and which matches were left out
 *     (at most 100)
 */
public record SearchResult(List<SearchHit> hits, SearchSummary summary) {}
