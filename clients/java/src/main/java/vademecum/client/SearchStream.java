package vademecum.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import vademecum.v1.SearchHit;
import vademecum.v1.SearchResponse;
import vademecum.v1.SearchSummary;

/**
 * The hits of a search as they arrive, best first. Read the stream once. If you leave the loop
 * early, close the stream.
 */
public final class SearchStream implements Iterable<SearchHit>, AutoCloseable {
  private final ResponseStream<SearchResponse> responses;
  private SearchSummary summary;

  SearchStream(ResponseStream<SearchResponse> responses) {
    this.responses = responses;
  }

  /**
   * Says how many memories matched, how many of them were returned, and which were left out. May be
   * null until the loop over the hits has ended.
   */
  public SearchSummary summary() {
    return summary;
  }

  @Override
  public Iterator<SearchHit> iterator() {
    Iterator<SearchResponse> messages = responses.iterator();
    return new Iterator<>() {
      private Iterator<SearchHit> hits = Collections.emptyIterator();

      @Override
      public boolean hasNext() {
        while (!hits.hasNext() && messages.hasNext()) {
          SearchResponse response = messages.next();
          hits = response.getHitsList().iterator();
          if (response.hasSummary()) {
            summary = response.getSummary();
          }
        }
        return hits.hasNext();
      }

      @Override
      public SearchHit next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return hits.next();
      }
    };
  }

  /** Waits for all hits and the summary. */
  public SearchResult collect() {
    List<SearchHit> hits = new ArrayList<>();
    forEach(hits::add);
    return new SearchResult(List.copyOf(hits), summary);
  }

  /** Cancels the search, also on the server. */
  @Override
  public void close() {
    responses.close();
  }
}
