package dev.vademecum.client;

import dev.vademecum.v1.SearchHit;
import dev.vademecum.v1.SearchSummary;
import java.util.List;

/**
 * A complete search result.
 *
 * @param hits the hits, best first
 * @param summary says how many memories matched, and how many of them were returned; lists up to
 *     100 of the matches that were left out
 */
public record SearchResult(List<SearchHit> hits, SearchSummary summary) {}
