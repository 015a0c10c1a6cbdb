package vademecum.langchain4j;

import static dev.langchain4j.internal.ValidationUtils.ensureNotEmpty;
import static dev.langchain4j.internal.ValidationUtils.ensureNotNull;

import dev.langchain4j.data.document.Metadata;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.store.embedding.CosineSimilarity;
import dev.langchain4j.store.embedding.EmbeddingMatch;
import dev.langchain4j.store.embedding.EmbeddingSearchRequest;
import dev.langchain4j.store.embedding.EmbeddingSearchResult;
import dev.langchain4j.store.embedding.EmbeddingStore;
import dev.langchain4j.store.embedding.RelevanceScore;
import dev.langchain4j.store.embedding.filter.Filter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import vademecum.client.Adapters;
import vademecum.client.Client;
import vademecum.client.Memories;
import vademecum.v1.AddRequest;
import vademecum.v1.DeleteRequest;
import vademecum.v1.DeleteWhereRequest;
import vademecum.v1.GetManyRequest;
import vademecum.v1.Memory;
import vademecum.v1.MemoryType;
import vademecum.v1.NearCopies;
import vademecum.v1.OnConflict;
import vademecum.v1.SearchHit;
import vademecum.v1.SearchRequest;

/**
 * An embedding store of LangChain4j whose segments are memories with the vectors of the program's
 * own embedding model.
 *
 * <p>The namespace holds these vectors alone. So give the store an agent id of its own: a namespace
 * in which the server makes the vectors refuses it.
 */
public final class VademecumEmbeddingStore implements EmbeddingStore<TextSegment> {
  private static final String KIND = "langchain4j_segment";
  private static final String KIND_WITHOUT_TEXT = "langchain4j_vector";
  private static final String OURS = "kind in [\"" + KIND + "\", \"" + KIND_WITHOUT_TEXT + "\"]";
  private static final String ID_PREFIX = "langchain4j/";

  /** The limit of a reply is 4 MiB. */
  private static final int REPLY_BYTES_MAX = 2_000_000;

  private final Memories memories;

  /**
   * Creates a store for one user.
   *
   * @param client the connection: {@code Client.connect(address)}; the caller closes it
   * @param userId the id of the person whom the segments belong to, 1 to 256 bytes; there is no
   *     default
   * @param agentId the id of the agent, 1 to 256 bytes, for this store alone
   * @throws IllegalArgumentException if an id is null or empty
   */
  public VademecumEmbeddingStore(Client client, String userId, String agentId) {
    memories = client.memories(Adapters.requireId("userId", userId), Adapters.requireId("agentId", agentId));
  }

  @Override
  public String add(Embedding embedding) {
    return add(embedding, null);
  }

  /** Stores a vector with an id of the caller's, in place of an earlier one with this id. */
  @Override
  public void add(String id, Embedding embedding) {
    addAll(List.of(id), List.of(embedding), null);
  }

  @Override
  public String add(Embedding embedding, TextSegment segment) {
    String id = UUID.randomUUID().toString();
    addAll(List.of(id), List.of(embedding), segment == null ? null : List.of(segment));
    return id;
  }

  @Override
  public List<String> addAll(List<Embedding> embeddings) {
    List<String> ids = generateIds(embeddings.size());
    addAll(ids, embeddings, null);
    return ids;
  }

  /**
   * Stores segments with ids of the caller's, in place of earlier ones with these ids.
   *
   * @param segments as many as there are ids, or null for vectors without texts
   */
  @Override
  public void addAll(List<String> ids, List<Embedding> embeddings, List<TextSegment> segments) {
    if (ids.size() != embeddings.size() || segments != null && segments.size() != ids.size()) {
      throw new IllegalArgumentException("ids, embeddings and segments must have the same size");
    }
    List<AddRequest.Builder> added =
        IntStream.range(0, ids.size())
            .mapToObj(it -> memoryOf(ids.get(it), embeddings.get(it), segments == null ? null : segments.get(it)))
            .toList();
    Adapters.addAll(memories, added);
  }

  @Override
  public EmbeddingSearchResult<TextSegment> search(EmbeddingSearchRequest request) {
    SearchRequest.Builder search =
        SearchRequest.newBuilder()
            .addAllQueryEmbedding(request.queryEmbedding().vectorAsList())
            .setLimit(request.maxResults())
            .setMinRelevance(0)
            .setNearCopies(NearCopies.NEAR_COPIES_KEEP);
    search.getFilterBuilder().setExpression(and(OURS, request.filter()));
    List<SearchHit> hits = memories.search(search).collect().hits();
    Map<String, Embedding> vectors = vectorsOf(hits, request.queryEmbedding().dimension());
    return new EmbeddingSearchResult<>(
        hits.stream()
            // A segment that was deleted since the search has no vector.
            .filter(hit -> vectors.containsKey(hit.getMemory().getId()))
            .map(hit -> matchOf(hit.getMemory(), vectors.get(hit.getMemory().getId()), request.queryEmbedding()))
            .filter(match -> match.score() >= request.minScore())
            .toList());
  }

  @Override
  public void removeAll(Collection<String> ids) {
    for (String id : ensureNotEmpty(ids, "ids")) {
      memories.delete(DeleteRequest.newBuilder().setExternalId(ID_PREFIX + id));
    }
  }

  @Override
  public void removeAll(Filter filter) {
    deleteWhere(and(OURS, ensureNotNull(filter, "filter")));
  }

  @Override
  public void removeAll() {
    deleteWhere(OURS);
  }

  private void deleteWhere(String expression) {
    DeleteWhereRequest.Builder request = DeleteWhereRequest.newBuilder();
    request.getFilterBuilder().setExpression(expression);
    memories.deleteWhere(request);
  }

  private static String and(String expression, Filter filter) {
    return filter == null ? expression : expression + " && (" + FilterExpression.of(filter) + ")";
  }

  private static AddRequest.Builder memoryOf(String id, Embedding embedding, TextSegment segment) {
    return AddRequest.newBuilder()
        .setContent(segment == null ? "(a vector without a text)" : segment.text())
        .setMemoryType(MemoryType.MEMORY_TYPE_SEMANTIC)
        .setKind(segment == null ? KIND_WITHOUT_TEXT : KIND)
        .setMetadata(SegmentMetadata.structOf(segment == null ? new Metadata() : segment.metadata()))
        .addAllEmbedding(embedding.vectorAsList())
        .setExternalId(ID_PREFIX + id)
        .setOnConflict(OnConflict.ON_CONFLICT_REPLACE);
  }

  private static EmbeddingMatch<TextSegment> matchOf(Memory memory, Embedding vector, Embedding query) {
    TextSegment segment =
        memory.getKind().equals(KIND)
            ? TextSegment.from(memory.getContent(), SegmentMetadata.metadataOf(memory.getMetadata()))
            : null;
    // Scores.vector of a hit is 0 for vectors that point away from the query.
    double score = RelevanceScore.fromCosineSimilarity(CosineSimilarity.between(query, vector));
    return new EmbeddingMatch<>(score, memory.getExternalId().substring(ID_PREFIX.length()), vector, segment);
  }

  /** Returns the vectors of hits by the ids of their memories, which a search does not return. */
  private Map<String, Embedding> vectorsOf(List<SearchHit> hits, int dimension) {
    Map<String, Embedding> vectors = new HashMap<>();
    GetManyRequest.Builder request = GetManyRequest.newBuilder().setIncludeEmbedding(true);
    int bytes = 0;
    for (SearchHit hit : hits) {
      int size = hit.getMemory().getSerializedSize() + dimension * Float.BYTES;
      if (bytes + size > REPLY_BYTES_MAX && request.getIdsCount() > 0) {
        readVectors(request, vectors);
        bytes = 0;
      }
      request.addIds(hit.getMemory().getId());
      bytes += size;
    }
    readVectors(request, vectors);
    return vectors;
  }

  private void readVectors(GetManyRequest.Builder request, Map<String, Embedding> vectors) {
    if (request.getIdsCount() == 0) {
      return;
    }
    vectors.putAll(
        memories.getMany(request).getMemoriesList().stream()
            .collect(Collectors.toMap(Memory::getId, it -> Embedding.from(it.getEmbedding().getValuesList()))));
    request.clearIds();
  }
}
