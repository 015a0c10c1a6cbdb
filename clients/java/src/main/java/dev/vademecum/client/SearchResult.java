package dev.vademecum.client;

import dev.vademecum.v1.SearchHit;
import dev.vademecum.v1.SearchSummary;
import java.util.List;

/**
 * A complete search result.
 *
 * @param hits the hits, best first
 * @param summary the receipt: which memories matched, were returned and were left out
 */
public record SearchResult(List<SearchHit> hits, SearchSummary summary) {}
