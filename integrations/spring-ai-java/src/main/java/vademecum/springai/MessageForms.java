package vademecum.springai;

import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.ai.chat.messages.AbstractMessage;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.content.MediaContent;
import org.springframework.util.MimeType;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import vademecum.client.ItemThreads.Item;

/** Messages of Spring AI as items of a thread, and back. */
final class MessageForms {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private MessageForms() {}

  static Item itemOf(Message message) {
    Map<String, Object> form = new LinkedHashMap<>();
    form.put("type", message.getMessageType().name());
    form.put("text", message.getText());
    form.put("metadata", metadataOf(message));
    if (message instanceof MediaContent content && !content.getMedia().isEmpty()) {
      form.put("media", content.getMedia().stream().map(MessageForms::formOf).toList());
    }
    if (message instanceof AssistantMessage assistant && assistant.hasToolCalls()) {
      form.put("toolCalls", assistant.getToolCalls());
    }
    if (message instanceof ToolResponseMessage tool) {
      form.put("responses", tool.getResponses());
    }
    return new Item(MAPPER.writeValueAsString(form), spokenOf(message), kindOf(message), message.getMessageType().getValue());
  }

  static Message messageOf(String json) {
    Form form = MAPPER.readValue(json, new TypeReference<Form>() {});
    return switch (MessageType.valueOf(form.type())) {
      case USER -> UserMessage.builder().text(form.text()).metadata(form.metadata()).media(form.allMedia()).build();
      case SYSTEM -> SystemMessage.builder().text(form.text()).metadata(form.metadata()).build();
      case ASSISTANT ->
          AssistantMessage.builder()
              .content(form.text())
              .properties(form.metadata())
              .toolCalls(form.toolCalls() == null ? List.of() : form.toolCalls())
              .media(form.allMedia())
              .build();
      case TOOL -> ToolResponseMessage.builder().responses(form.responses()).metadata(form.metadata()).build();
    };
  }

  private record Form(
      String type,
      String text,
      Map<String, Object> metadata,
      List<MediaForm> media,
      List<AssistantMessage.ToolCall> toolCalls,
      List<ToolResponseMessage.ToolResponse> responses) {
    List<Media> allMedia() {
      return media == null ? List.of() : media.stream().map(MediaForm::media).toList();
    }
  }

  /**
   * A file or a picture of a message.
   *
   * @param bytes in base64, or null
   * @param uri the address of the file, or null
   */
  private record MediaForm(String mimeType, String id, String name, String bytes, String uri) {
    Media media() {
      Media.Builder media = Media.builder().mimeType(MimeType.valueOf(mimeType)).id(id).name(name);
      return bytes == null ? media.data(uri).build() : media.data(Base64.getDecoder().decode(bytes)).build();
    }
  }

  private static MediaForm formOf(Media media) {
    boolean hasBytes = media.getData() instanceof byte[];
    return new MediaForm(
        media.getMimeType().toString(),
        media.getId(),
        media.getName(),
        hasBytes ? Base64.getEncoder().encodeToString(media.getDataAsByteArray()) : null,
        hasBytes ? null : media.getData().toString());
  }

  /** Returns the metadata without the type of the message, which its class adds again. */
  private static Map<String, Object> metadataOf(Message message) {
    Map<String, Object> metadata = new HashMap<>();
    message
        .getMetadata()
        .forEach((name, value) -> {
          if (!name.equals(AbstractMessage.MESSAGE_TYPE)) {
            metadata.put(name, jsonValueOf(value));
          }
        });
    return metadata;
  }

  /** Returns a value that JSON can hold. Other objects, such as an enum, become their texts. */
  private static Object jsonValueOf(Object value) {
    if (value == null || value instanceof String || value instanceof Boolean || value instanceof Number) {
      return value;
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> copy = new HashMap<>();
      map.forEach((name, each) -> copy.put(String.valueOf(name), jsonValueOf(each)));
      return copy;
    }
    if (value instanceof Iterable<?> values) {
      List<Object> copy = new ArrayList<>();
      values.forEach(each -> copy.add(jsonValueOf(each)));
      return copy;
    }
    return value.toString();
  }

  /** Returns the text of a message, for searches. */
  private static String spokenOf(Message message) {
    if (message instanceof ToolResponseMessage tool) {
      return tool.getResponses().stream().map(ToolResponseMessage.ToolResponse::responseData).collect(Collectors.joining("\n"));
    }
    String text = message.getText() == null ? "" : message.getText();
    if (!text.isBlank() || !(message instanceof AssistantMessage assistant)) {
      return text;
    }
    return assistant.getToolCalls().stream().map(it -> it.name() + "(" + it.arguments() + ")").collect(Collectors.joining("\n"));
  }

  private static String kindOf(Message message) {
    return switch (message.getMessageType()) {
      case TOOL -> "tool_result";
      case SYSTEM -> "system_message";
      case ASSISTANT -> ((AssistantMessage) message).hasToolCalls() ? "tool_call" : "message";
      case USER -> "message";
    };
  }
}
