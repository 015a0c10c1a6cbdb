package vademecum.adk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.adk.events.Event;
import com.google.adk.memory.MemoryEntry;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import vademecum.client.Adapters;
import vademecum.v1.AddRequest;
import vademecum.v1.Memory;
import vademecum.v1.MemoryType;
import vademecum.v1.OnConflict;

/** Events of ADK as memories. */
final class EventMemories {
  /** Metadata has at most 16 KiB. */
  private static final int METADATA_BYTES_MAX = 15_000;

  private EventMemories() {}

  /**
   * Returns the memories of an event: usually one, several if the text is very long. An event
   * without text has none.
   */
  static List<AddRequest.Builder> memoriesOf(Event event, String sessionId) {
    Content content = event.content().orElse(null);
    List<AddRequest.Builder> memories = new ArrayList<>();
    if (content == null) {
      return memories;
    }
    List<String> pieces = Adapters.splitContent(textOf(content));
    Instant time = Instant.ofEpochMilli(event.timestamp());
    for (String piece : pieces) {
      String part = memories.isEmpty() ? "" : "/" + (memories.size() + 1);
      AddRequest.Builder memory =
          AddRequest.newBuilder()
              .setContent(piece)
              .setMemoryType(MemoryType.MEMORY_TYPE_CONVERSATION)
              .setThreadId(sessionId)
              .setExternalId("adk/" + event.id() + part)
              // Events do not change, so an event that is there stays as it is.
              .setOnConflict(OnConflict.ON_CONFLICT_KEEP)
              .setEventTime(Timestamp.newBuilder().setSeconds(time.getEpochSecond()).setNanos(time.getNano()))
              .setMetadata(metadataOf(content, pieces.size() == 1));
      if (event.author() != null && !event.author().isEmpty()) {
        memory.setAuthor(event.author());
      }
      memories.add(memory);
    }
    return memories;
  }

  /** Returns the entry of a memory, also of one that another client has stored. */
  static MemoryEntry entryOf(Memory memory) {
    Timestamp time = memory.hasEventTime() ? memory.getEventTime() : memory.getCreateTime();
    MemoryEntry.Builder entry =
        MemoryEntry.builder()
            .content(contentOf(memory, memory.getMetadata().getFieldsOrDefault("adk", Value.getDefaultInstance()).getStructValue()))
            .timestamp(Instant.ofEpochSecond(time.getSeconds(), time.getNanos()));
    return memory.hasAuthor() ? entry.author(memory.getAuthor()).build() : entry.build();
  }

  private static Content contentOf(Memory memory, Struct form) {
    if (form.containsFields("content")) {
      return Content.fromJson(form.getFieldsOrThrow("content").getStringValue());
    }
    Content.Builder content = Content.builder().parts(Part.fromText(memory.getContent()));
    return form.containsFields("role")
        ? content.role(form.getFieldsOrThrow("role").getStringValue()).build()
        : content.build();
  }

  /** Returns the texts of a content. Empty for white space alone. */
  private static String textOf(Content content) {
    return content.parts().orElse(List.of()).stream()
        .flatMap(part -> part.text().stream())
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(" "));
  }

  /** Returns the role of a content, and the whole content if it is more than a text and fits. */
  private static Struct metadataOf(Content content, boolean isWhole) {
    Struct.Builder form = Struct.newBuilder();
    content.role().ifPresent(role -> form.putFields("role", textValue(role)));
    List<Part> parts = content.parts().orElse(List.of());
    boolean isPlain = parts.size() == 1 && parts.get(0).equals(Part.fromText(parts.get(0).text().orElse("")));
    if (isWhole && !isPlain) {
      String json = content.toJson();
      // Quotes and backslashes are escaped once more.
      long escapes = json.chars().filter(it -> it == '"' || it == '\\').count();
      if (json.getBytes(UTF_8).length + escapes <= METADATA_BYTES_MAX) {
        form.putFields("content", textValue(json));
      }
    }
    return Struct.newBuilder().putFields("adk", Value.newBuilder().setStructValue(form).build()).build();
  }

  private static Value textValue(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }
}
