package vademecum.client;

import java.util.List;
import vademecum.v1.SearchHit;
import vademecum.v1.SearchSummary;

/**
 * A complete search result.
 *
 * @param hits the hits, best first
 * @param summary says how many memories matched, and how many of them were returned; lists up to
 *     100 of the matches that were left out
 */
public record SearchResult(List<SearchHit> hits, SearchSummary summary) {}
