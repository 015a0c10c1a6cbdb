package dev.vademecum.client;

import dev.vademecum.v1.SearchHit;
import dev.vademecum.v1.SearchSummary;
import java.util.List;

/**
 * A complete search result.
 *
 * @param hits the hits, best first
 * @param summary how many memories matched and were returned, with a list of up to 100 matches that
 *     were left out
 */
public record SearchResult(List<SearchHit> hits, SearchSummary summary) {}
