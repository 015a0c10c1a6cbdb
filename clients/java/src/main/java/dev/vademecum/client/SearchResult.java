package dev.vademecum.client;

import dev.vademecum.v1.SearchHit;
import dev.vademecum.v1.SearchSummary;
import java.util.List;

/**
 * A whole search.
 *
 * @param hits found memories, best first
 * @param summary the receipt: what was found, returned and left out
 */
public record SearchResult(List<SearchHit> hits, SearchSummary summary) {}
