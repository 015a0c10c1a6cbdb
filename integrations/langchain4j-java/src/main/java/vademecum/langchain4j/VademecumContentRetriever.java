package vademecum.langchain4j;

import dev.langchain4j.data.document.Metadata;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.ContentMetadata;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.Query;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import vademecum.client.Adapters;
import vademecum.client.Client;
import vademecum.v1.Memory;
import vademecum.v1.SearchHit;
import vademecum.v1.SearchRequest;

/**
 * A content retriever of LangChain4j that finds the memories of a user, by words and meaning. Leaves
 * out the turns of the conversation that asks, because the model has its messages already.
 */
public final class VademecumContentRetriever implements ContentRetriever {
  private static final int DEFAULT_MAX_RESULTS = 3;

  private final Client client;
  private final Supplier<String> userId;
  private final String agentId;
  private final int maxResults;

  /**
   * Creates a retriever for one user, which returns at most 3 memories.
   *
   * @param client the connection: {@code Client.connect(address)}; the caller closes it
   * @param userId the id of the person whom the memories are about, 1 to 256 bytes; there is no
   *     default
   * @param agentId the id of the agent that keeps the memories, 1 to 256 bytes
   * @throws IllegalArgumentException if an id is null or empty
   */
  public VademecumContentRetriever(Client client, String userId, String agentId) {
    this(client, () -> userId, agentId);
    Adapters.requireId("userId", userId);
  }

  /**
   * Creates a retriever for the user of each call, for applications with many users.
   *
   * @param userId returns the id of the user in the thread of the call; if it returns null or an
   *     empty text, the call fails with an IllegalArgumentException
   */
  public VademecumContentRetriever(Client client, Supplier<String> userId, String agentId) {
    this(client, userId, Adapters.requireId("agentId", agentId), DEFAULT_MAX_RESULTS);
  }

  private VademecumContentRetriever(Client client, Supplier<String> userId, String agentId, int maxResults) {
    this.client = client;
    this.userId = userId;
    this.agentId = agentId;
    this.maxResults = maxResults;
  }

  /**
   * Returns a retriever that returns at most so many memories.
   *
   * @param maxResults 1 to 1,000
   */
  public VademecumContentRetriever withMaxResults(int maxResults) {
    return new VademecumContentRetriever(client, userId, agentId, maxResults);
  }

  /**
   * Returns the memories that fit a query, most relevant first. The metadata of a segment has the
   * time of its memory, and its author and kind, if any.
   */
  @Override
  public List<Content> retrieve(Query query) {
    SearchRequest.Builder request = SearchRequest.newBuilder().setQuery(Adapters.cutQuery(query.text())).setLimit(maxResults);
    Object conversation = query.metadata() == null ? null : query.metadata().chatMemoryId();
    if (conversation != null) {
      request.getFilterBuilder().setExpression("thread_id != " + FilterExpression.quote(conversation.toString()));
    }
    return client.memories(Adapters.requireId("userId", userId.get()), agentId).search(request).collect().hits().stream()
        .map(VademecumContentRetriever::contentOf)
        .toList();
  }

  private static Content contentOf(SearchHit hit) {
    Memory memory = hit.getMemory();
    var time = memory.hasEventTime() ? memory.getEventTime() : memory.getCreateTime();
    Metadata metadata = Metadata.from("time", Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).toString());
    if (memory.hasAuthor()) {
      metadata.put("author", memory.getAuthor());
    }
    if (!memory.getKind().isEmpty()) {
      metadata.put("kind", memory.getKind());
    }
    return Content.from(
        TextSegment.from(memory.getContent(), metadata),
        Map.of(ContentMetadata.SCORE, hit.getScores().getRelevance(), ContentMetadata.EMBEDDING_ID, memory.getId()));
  }
}
