package vademecum.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Message;
import io.grpc.protobuf.StatusProto;
import java.util.ArrayList;
import java.util.List;
import vademecum.v1.AddManyRequest;
import vademecum.v1.AddManyResult;
import vademecum.v1.AddRequest;

/** Parts for adapters: packages that give a framework for agents its memory. */
public final class Adapters {
  // The limits of the server for a content and for a query, in bytes.
  private static final int CONTENT_BYTES_MAX = 65_536;
  private static final int QUERY_BYTES_MAX = 8192;

  // The limits of one request: memories or turns, and bytes with some room for the envelope.
  static final int REQUEST_ITEMS_MAX = 500;
  static final int REQUEST_BYTES_MAX = 900_000;

  /** The limit of one request is 20,000 messages, list items and map entries. */
  private static final int REQUEST_ELEMENTS_MAX = 15_000;

  private Adapters() {}

  /**
   * Returns an id that a program has chosen.
   *
   * @param name the name of the id, such as {@code userId}
   * @throws IllegalArgumentException if the id is null or empty
   */
  public static String requireId(String name, String id) {
    if (id == null || id.isEmpty()) {
      throw new IllegalArgumentException(name + " is missing. Set it: there is no default.");
    }
    return id;
  }

  /**
   * Splits a text into pieces of at most {@code bytesMax} bytes of UTF-8, never inside a character.
   * An empty text has no pieces.
   *
   * @param bytesMax at least 4, the size of the largest character
   */
  public static List<String> split(String text, int bytesMax) {
    byte[] bytes = text.getBytes(UTF_8);
    List<String> pieces = new ArrayList<>();
    for (int start = 0, end; start < bytes.length; start = end) {
      end = Math.min(start + bytesMax, bytes.length);
      while (end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
        end--;
      }
      pieces.add(new String(bytes, start, end - start, UTF_8));
    }
    return pieces;
  }

  /**
   * Splits a text into pieces that fit into the content of a memory each: at most 65,536 bytes.
   * Leaves out pieces of white space.
   */
  public static List<String> splitContent(String text) {
    return split(text, CONTENT_BYTES_MAX).stream().filter(piece -> !isBlank(piece)).toList();
  }

  /** Returns the first 8,192 bytes of a text, the limit of a query. Empty for white space. */
  public static String cutQuery(String text) {
    return isBlank(text) ? "" : split(text.strip(), QUERY_BYTES_MAX).get(0);
  }

  /**
   * Stores any number of memories, in as few calls of AddMany as their sizes allow, one after
   * another. Each call is one atomic step.
   *
   * @return the ids of the memories, in their order
   * @throws VademecumException if the server refuses one of the memories; the others of its call,
   *     and the calls before, are stored
   */
  public static List<String> addAll(Memories memories, List<AddRequest.Builder> added) {
    List<String> ids = new ArrayList<>();
    AddManyRequest.Builder request = AddManyRequest.newBuilder();
    int bytes = 0;
    int elements = 0;
    for (AddRequest.Builder memory : added) {
      AddRequest built = memory.build();
      bytes += built.getSerializedSize();
      elements += elementsOf(built);
      if (request.getMemoriesCount() == REQUEST_ITEMS_MAX || bytes > REQUEST_BYTES_MAX || elements > REQUEST_ELEMENTS_MAX) {
        send(memories, request, ids);
        bytes = built.getSerializedSize();
        elements = elementsOf(built);
      }
      request.addMemories(built);
    }
    send(memories, request, ids);
    return List.copyOf(ids);
  }

  private static void send(Memories memories, AddManyRequest.Builder request, List<String> ids) {
    if (request.getMemoriesCount() == 0) {
      return;
    }
    for (AddManyResult result : memories.addMany(request).getResultsList()) {
      if (result.hasError()) {
        throw new VademecumException(StatusProto.toStatusRuntimeException(result.getError()));
      }
      ids.add(result.getId());
    }
    request.clear();
  }

  /** Returns the number of messages, list items and map entries in a message, and the message itself. */
  private static int elementsOf(Message message) {
    int elements = 1;
    for (Object field : message.getAllFields().values()) {
      for (Object value : field instanceof List<?> values ? values : List.of(field)) {
        elements += value instanceof Message part ? elementsOf(part) : 1;
      }
    }
    return elements;
  }

  /** Whether the server refuses a text as blank: it is empty or white space alone. */
  static boolean isBlank(String text) {
    return text.codePoints().allMatch(it -> Character.isWhitespace(it) || Character.isSpaceChar(it) || it == 0xFEFF);
  }
}
