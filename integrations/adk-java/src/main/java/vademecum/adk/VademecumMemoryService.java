package vademecum.adk;

import com.google.adk.memory.BaseMemoryService;
import com.google.adk.memory.MemoryEntry;
import com.google.adk.memory.SearchMemoryResponse;
import com.google.adk.sessions.Session;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.util.List;
import vademecum.client.Adapters;
import vademecum.client.Client;
import vademecum.client.Memories;
import vademecum.v1.AddRequest;
import vademecum.v1.SearchRequest;

/**
 * A memory service of ADK that keeps the texts of events as memories.
 *
 * <p>The user of ADK is the user, and the app is the agent. An event is stored once, however often
 * its session is added. Each call runs in a thread of RxJava's scheduler {@code io}.
 */
public final class VademecumMemoryService implements BaseMemoryService {
  private static final int DEFAULT_LIMIT = 10;

  private final Client client;
  private final String agentId;
  private final int limit;

  /**
   * Creates a service that keeps the memories of each app for the agent with the name of the app.
   * A search returns at most 10 memories.
   *
   * @param client the connection: {@code Client.connect(address)}; the caller closes it
   */
  public VademecumMemoryService(Client client) {
    this(client, null, DEFAULT_LIMIT);
  }

  private VademecumMemoryService(Client client, String agentId, int limit) {
    this.client = client;
    this.agentId = agentId;
    this.limit = limit;
  }

  /**
   * Returns a service that keeps the memories for an agent, in place of the name of the app: apps
   * with the same agent share their memories.
   */
  public VademecumMemoryService withAgentId(String agentId) {
    return new VademecumMemoryService(client, Adapters.requireId("agentId", agentId), limit);
  }

  /**
   * Returns a service whose searches return at most so many memories.
   *
   * @param limit 1 to 1,000
   */
  public VademecumMemoryService withLimit(int limit) {
    return new VademecumMemoryService(client, agentId, limit);
  }

  /**
   * Stores the events of a session that are not stored yet. Leaves out events without text. Fails
   * with an IllegalArgumentException if the session has no user or no app.
   */
  @Override
  public Completable addSessionToMemory(Session session) {
    return Completable.fromAction(() -> add(session)).subscribeOn(Schedulers.io());
  }

  /**
   * Returns the memories that fit a query, most relevant first. None for an empty query. Fails with
   * an IllegalArgumentException if there is no user or no app.
   */
  @Override
  public Single<SearchMemoryResponse> searchMemory(String appName, String userId, String query) {
    return Single.fromCallable(() -> search(appName, userId, query)).subscribeOn(Schedulers.io());
  }

  private void add(Session session) {
    Memories memories = memories(session.appName(), session.userId());
    List<AddRequest.Builder> added =
        List.copyOf(session.events()).stream()
            .flatMap(event -> EventMemories.memoriesOf(event, session.id()).stream())
            .toList();
    Adapters.addAll(memories, added);
  }

  private SearchMemoryResponse search(String appName, String userId, String query) {
    Memories memories = memories(appName, userId);
    String text = Adapters.cutQuery(query);
    if (text.isEmpty()) {
      return SearchMemoryResponse.builder().build();
    }
    List<MemoryEntry> entries =
        memories.search(SearchRequest.newBuilder().setQuery(text).setLimit(limit)).collect().hits().stream()
            .map(hit -> EventMemories.entryOf(hit.getMemory()))
            .toList();
    return SearchMemoryResponse.builder().memories(entries).build();
  }

  private Memories memories(String appName, String userId) {
    String user = Adapters.requireId("userId", userId);
    return client.memories(user, agentId == null ? Adapters.requireId("appName", appName) : agentId);
  }
}
