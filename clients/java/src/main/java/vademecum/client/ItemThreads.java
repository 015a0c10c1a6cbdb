package vademecum.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import vademecum.v1.AppendTurnsRequest;
import vademecum.v1.ClearThreadRequest;
import vademecum.v1.GetTurnsRequest;
import vademecum.v1.GetTurnsResponse;
import vademecum.v1.ListThreadsRequest;
import vademecum.v1.ListThreadsResponse;
import vademecum.v1.Memory;
import vademecum.v1.NewTurn;
import vademecum.v1.ReplaceThreadRequest;
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

  public ItemThreads(Threads threads) {
    this.threads = threads;
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

  /** An item in the server, with the time of its first turn. */
  private record StoredItem(String json, Timestamp time) {}

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
   * Makes the items of a thread those of a list. Items that are there keep their times. If the list
   * begins with all items that are there, the others are appended; otherwise the turns are
   * replaced. Each is one atomic step, except for more than 500 turns or 900 KB: then only the first
   * request is.
   */
  public void save(String threadId, List<Item> items) {
    List<StoredItem> stored = stored(threadId);
    List<String> wanted = items.stream().map(Item::json).toList();
    List<String> present = stored.stream().map(StoredItem::json).toList();
    if (items.size() >= present.size() && wanted.subList(0, present.size()).equals(present)) {
      append(threadId, requestsOf(turnsOf(items.subList(present.size(), items.size()), List.of())));
      return;
    }
    if (items.isEmpty()) {
      delete(threadId);
      return;
    }
    List<List<NewTurn>> requests = requestsOf(turnsOf(items, timesOf(wanted, stored)));
    threads.replace(ReplaceThreadRequest.newBuilder().setThreadId(threadId).addAllTurns(requests.get(0)));
    append(threadId, requests.subList(1, requests.size()));
  }

  /** Deletes all turns of a thread. A thread without turns is not an error. */
  public void delete(String threadId) {
    threads.clear(ClearThreadRequest.newBuilder().setThreadId(threadId));
  }

  private void append(String threadId, List<List<NewTurn>> requests) {
    for (List<NewTurn> request : requests) {
      threads.appendTurns(AppendTurnsRequest.newBuilder().setThreadId(threadId).addAllTurns(request));
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
        items.add(new StoredItem(fields.get("item").getStringValue(), timeOf(turn)));
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
        items.add(new StoredItem(json.toString(), timeOf(pieces.get(0))));
        pieces.clear();
      }
    }
    return items;
  }

  private static Timestamp timeOf(Memory turn) {
    return turn.hasEventTime() ? turn.getEventTime() : turn.getCreateTime();
  }

  /**
   * Returns the times of items that are stored. An item without a time before one with a time gets
   * that time, so that it stays before it. Null: the time of the call.
   */
  private static List<Timestamp> timesOf(List<String> wanted, List<StoredItem> stored) {
    Timestamp[] times = new Timestamp[wanted.size()];
    List<String> rest = stored.stream().map(StoredItem::json).toList();
    for (int index = 0, passed = 0; index < times.length; index++) {
      int found = rest.subList(passed, rest.size()).indexOf(wanted.get(index));
      if (found >= 0) {
        passed += found + 1;
        times[index] = stored.get(passed - 1).time();
      }
    }
    List<Timestamp> reversed = new ArrayList<>();
    Timestamp next = null;
    for (int index = times.length - 1; index >= 0; index--) {
      next = times[index] == null ? next : times[index];
      reversed.add(0, next);
    }
    return reversed;
  }

  /** @param times the times of the items, or an empty list for the time of the call */
  private static List<NewTurn> turnsOf(List<Item> items, List<Timestamp> times) {
    List<NewTurn> turns = new ArrayList<>();
    for (int index = 0; index < items.size(); index++) {
      Timestamp time = times.isEmpty() ? null : times.get(index);
      for (NewTurn.Builder turn : turnsOf(items.get(index))) {
        turns.add(time == null ? turn.build() : turn.setEventTime(time).build());
      }
    }
    return turns;
  }

  private static List<NewTurn.Builder> turnsOf(Item item) {
    if (quotedBytes(item.json()) <= METADATA_BYTES_MAX) {
      String content = Adapters.splitContent(item.text()).stream().findFirst().orElse(item.kind());
      return List.of(turn(item, content, Map.of("item", Value.newBuilder().setStringValue(item.json()).build())));
    }
    List<String> pieces = Adapters.split(item.json(), PIECE_BYTES_MAX);
    List<NewTurn.Builder> turns = new ArrayList<>();
    for (int part = 1; part <= pieces.size(); part++) {
      String content = "[" + part + "/" + pieces.size() + "] " + pieces.get(part - 1);
      turns.add(turn(item, content, Map.of("part", number(part), "parts", number(pieces.size()))));
    }
    return turns;
  }

  private static NewTurn.Builder turn(Item item, String content, Map<String, Value> metadata) {
    NewTurn.Builder turn = NewTurn.newBuilder().setContent(content).setKind(item.kind());
    turn.setMetadata(Struct.newBuilder().putAllFields(metadata));
    return item.author() == null ? turn : turn.setAuthor(item.author());
  }

  private static Value number(int value) {
    return Value.newBuilder().setNumberValue(value).build();
  }

  private static List<List<NewTurn>> requestsOf(List<NewTurn> turns) {
    List<List<NewTurn>> requests = new ArrayList<>();
    int bytes = Integer.MAX_VALUE;
    for (NewTurn turn : turns) {
      int size = turn.getSerializedSize();
      if (bytes > Adapters.REQUEST_BYTES_MAX - size
          || requests.get(requests.size() - 1).size() == Adapters.REQUEST_ITEMS_MAX) {
        requests.add(new ArrayList<>());
        bytes = 0;
      }
      requests.get(requests.size() - 1).add(turn);
      bytes += size;
    }
    return requests;
  }

  /** Returns the size of a text in JSON, at most. */
  private static int quotedBytes(String text) {
    int escapes = text.chars().map(it -> it < ' ' ? 5 : it == '"' || it == '\\' ? 1 : 0).sum();
    return text.getBytes(UTF_8).length + escapes + 2;
  }
}
