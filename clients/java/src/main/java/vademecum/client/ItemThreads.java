package vademecum.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import vademecum.v1.AppendTurnsRequest;
import vademecum.v1.ClearThreadRequest;
import vademecum.v1.DeleteRequest;
import vademecum.v1.GetTurnsRequest;
import vademecum.v1.GetTurnsResponse;
import vademecum.v1.ListThreadsRequest;
import vademecum.v1.ListThreadsResponse;
import vademecum.v1.Memory;
import vademecum.v1.NewTurn;
import vademecum.v1.Thread;

/**
 * Keeps the items of conversations, such as the messages of a framework, as turns of threads: whole
 * and in order. For adapters.
 *
 * <p>Usually an item is one turn: its content is the text of the item, and its metadata the whole
 * item as JSON. An item that is too large for metadata becomes several turns, whose contents are
 * pieces of the JSON.
 */
public final class ItemThreads {
  /** Metadata of a turn has at most 16 KiB as JSON, with names and quotes. */
  private static final int METADATA_BYTES_MAX = 15_000;

  /** The content of a turn has at most 64 KiB. A prefix such as "[1/16] " comes before each piece. */
  private static final int PIECE_BYTES_MAX = 65_000;

  private static final int READ_TURNS_MAX = 1000;

  private final Threads threads;
  private final Memories memories;

  /**
   * Keeps items in the threads of a user and an agent.
   *
   * @throws IllegalArgumentException if an id is null or empty
   */
  public ItemThreads(Client client, String userId, String agentId) {
    Adapters.requireId("userId", userId);
    Adapters.requireId("agentId", agentId);
    threads = client.threads(userId, agentId);
    memories = client.memories(userId, agentId);
  }

  /**
   * An item of a conversation.
   *
   * @param json the whole item; the same item always has the same JSON
   * @param text the text of the item, for searches; may be empty
   * @param kind the kind of the item, 1 to 256 bytes; also the content of an item without text
   * @param author who said it, 1 to 256 bytes; null for nobody
   */
  public record Item(String json, String text, String kind, String author) {}

  /** An item in the server, with the ids of its turns. */
  private record StoredItem(String json, List<String> turnIds) {}

  /** Returns the ids of all threads of the namespace. */
  public List<String> threadIds() {
    List<String> ids = new ArrayList<>();
    ListThreadsRequest.Builder request = ListThreadsRequest.newBuilder().setLimit(1000);
    ListThreadsResponse page;
    do {
      page = threads.list(request);
      page.getThreadsList().stream().map(Thread::getThreadId).forEach(ids::add);
      request.setPageToken(page.getNextPageToken());
    } while (!page.getNextPageToken().isEmpty());
    return ids;
  }

  /** Returns the JSON of a thread's items, oldest first. Leaves out turns of other clients. */
  public List<String> read(String threadId) {
    return stored(threadId).stream().map(StoredItem::json).toList();
  }

  /**
   * Makes the items of a thread those of a list. Items at the beginning of the list that are
   * there, in the same order, stay as they are. The others of the list are appended, and then the
   * others of the thread are deleted, one by one. Appending is one atomic step up to 500 turns and
   * 900 KB.
   */
  public void save(String threadId, List<Item> items) {
    int kept = 0;
    List<String> dropped = new ArrayList<>();
    for (StoredItem stored : stored(threadId)) {
      if (kept < items.size() && items.get(kept).json().equals(stored.json())) {
        kept++;
      } else {
        dropped.addAll(stored.turnIds());
      }
    }
    append(threadId, items.subList(kept, items.size()));
    for (String id : dropped) {
      memories.delete(DeleteRequest.newBuilder().setId(id));
    }
  }

  /** Deletes all turns of a thread. A thread without turns is not an error. */
  public void delete(String threadId) {
    threads.clear(ClearThreadRequest.newBuilder().setThreadId(threadId));
  }

  private void append(String threadId, List<Item> items) {
    AppendTurnsRequest.Builder request = AppendTurnsRequest.newBuilder().setThreadId(threadId);
    int bytes = 0;
    for (Item item : items) {
      for (NewTurn turn : turnsOf(item)) {
        bytes += turn.getSerializedSize();
        if (bytes > Adapters.REQUEST_BYTES_MAX || request.getTurnsCount() == Adapters.REQUEST_ITEMS_MAX) {
          threads.appendTurns(request);
          request.clearTurns();
          bytes = turn.getSerializedSize();
        }
        request.addTurns(turn);
      }
    }
    if (request.getTurnsCount() > 0) {
      threads.appendTurns(request);
    }
  }

  private List<StoredItem> stored(String threadId) {
    List<Memory> turns = new ArrayList<>();
    GetTurnsRequest.Builder request = GetTurnsRequest.newBuilder().setThreadId(threadId).setLimit(READ_TURNS_MAX);
    GetTurnsResponse page;
    do {
      page = threads.getTurns(request);
      turns.addAll(0, page.getTurnsList());
      if (page.getHasMore()) {
        request.setBeforeId(page.getTurns(0).getId());
      }
    } while (page.getHasMore());
    return itemsOf(turns);
  }

  private static List<StoredItem> itemsOf(List<Memory> turns) {
    List<StoredItem> items = new ArrayList<>();
    List<Memory> pieces = new ArrayList<>();
    for (Memory turn : turns) {
      Map<String, Value> fields = turn.getMetadata().getFieldsMap();
      if (fields.containsKey("item")) {
        items.add(new StoredItem(fields.get("item").getStringValue(), List.of(turn.getId())));
      }
      if (!fields.containsKey("parts")) {
        continue;
      }
      int part = (int) fields.get("part").getNumberValue();
      if (part == 1 || part != pieces.size() + 1) {
        pieces.clear();
      }
      if (part == pieces.size() + 1) {
        pieces.add(turn);
      }
      if (pieces.size() == fields.get("parts").getNumberValue()) {
        StringBuilder json = new StringBuilder();
        pieces.forEach(it -> json.append(it.getContent().substring(it.getContent().indexOf("] ") + 2)));
        items.add(new StoredItem(json.toString(), pieces.stream().map(Memory::getId).toList()));
        pieces.clear();
      }
    }
    return items;
  }

  private static List<NewTurn> turnsOf(Item item) {
    if (quotedBytes(item.json()) <= METADATA_BYTES_MAX) {
      String content = Adapters.splitContent(item.text()).stream().findFirst().orElse(item.kind());
      return List.of(turn(item, content, Map.of("item", Value.newBuilder().setStringValue(item.json()).build())));
    }
    List<String> pieces = Adapters.split(item.json(), PIECE_BYTES_MAX);
    List<NewTurn> turns = new ArrayList<>();
    for (int part = 1; part <= pieces.size(); part++) {
      String content = "[" + part + "/" + pieces.size() + "] " + pieces.get(part - 1);
      turns.add(turn(item, content, Map.of("part", number(part), "parts", number(pieces.size()))));
    }
    return turns;
  }

  private static NewTurn turn(Item item, String content, Map<String, Value> metadata) {
    NewTurn.Builder turn = NewTurn.newBuilder().setContent(content).setKind(item.kind());
    turn.setMetadata(Struct.newBuilder().putAllFields(metadata));
    return item.author() == null ? turn.build() : turn.setAuthor(item.author()).build();
  }

  private static Value number(int value) {
    return Value.newBuilder().setNumberValue(value).build();
  }

  /** Returns the size of a text in JSON, at most. */
  private static int quotedBytes(String text) {
    int escapes = text.chars().map(it -> it < ' ' ? 5 : it == '"' || it == '\\' ? 1 : 0).sum();
    return text.getBytes(UTF_8).length + escapes + 2;
  }
}
