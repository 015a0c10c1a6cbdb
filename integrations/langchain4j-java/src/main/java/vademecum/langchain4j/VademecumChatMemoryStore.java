package vademecum.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import vademecum.client.Adapters;
import vademecum.client.Client;
import vademecum.client.ItemThreads;
import vademecum.client.ItemThreads.Item;

/**
 * A store for the chat memory of LangChain4j whose conversations are the threads of a user:
 * durable, whole and in order, and found by searches. The memory id, as a text, is the id of the
 * thread.
 */
public final class VademecumChatMemoryStore implements ChatMemoryStore {
  private final Client client;
  private final Supplier<String> userId;
  private final String agentId;

  /**
   * Creates a store for one user.
   *
   * @param client the connection: {@code Client.connect(address)}; the caller closes it
   * @param userId the id of the person who talks with the agent, 1 to 256 bytes; no default
   * @param agentId the id of the agent, 1 to 256 bytes
   * @throws IllegalArgumentException if an id is null or empty
   */
  public VademecumChatMemoryStore(Client client, String userId, String agentId) {
    this(client, () -> userId, agentId);
    Adapters.requireId("userId", userId);
  }

  /**
   * Creates a store for the user of each call, for applications with many users.
   *
   * @param userId returns the id of the user in the thread of the call; if it returns null or an
   *     empty text, the call fails with an IllegalArgumentException
   */
  public VademecumChatMemoryStore(Client client, Supplier<String> userId, String agentId) {
    this.client = client;
    this.userId = userId;
    this.agentId = Adapters.requireId("agentId", agentId);
  }

  @Override
  public List<ChatMessage> getMessages(Object memoryId) {
    return threads().read(threadId(memoryId)).stream().map(ChatMessageDeserializer::messageFromJson).toList();
  }

  /** Replaces the messages of a conversation. Those that stay in their order keep their times. */
  @Override
  public void updateMessages(Object memoryId, List<ChatMessage> messages) {
    threads().save(threadId(memoryId), messages.stream().map(VademecumChatMemoryStore::itemOf).toList());
  }

  @Override
  public void deleteMessages(Object memoryId) {
    threads().delete(threadId(memoryId));
  }

  private ItemThreads threads() {
    return new ItemThreads(client, userId.get(), agentId);
  }

  private static String threadId(Object memoryId) {
    return Adapters.requireId("memoryId", memoryId == null ? null : memoryId.toString());
  }

  private static Item itemOf(ChatMessage message) {
    return new Item(ChatMessageSerializer.messageToJson(message), spokenOf(message), kindOf(message), authorOf(message));
  }

  private static String authorOf(ChatMessage message) {
    return switch (message.type()) {
      case SYSTEM -> "system";
      case USER -> "user";
      case AI -> "assistant";
      case TOOL_EXECUTION_RESULT -> "tool";
      case CUSTOM -> null;
    };
  }

  private static String kindOf(ChatMessage message) {
    return switch (message.type()) {
      case SYSTEM -> "system_message";
      case TOOL_EXECUTION_RESULT -> "tool_result";
      case AI -> ((AiMessage) message).hasToolExecutionRequests() ? "tool_call" : "message";
      case USER, CUSTOM -> "message";
    };
  }

  /** Returns the text of a message, for searches. */
  private static String spokenOf(ChatMessage message) {
    if (message instanceof UserMessage user) {
      return user.contents().stream()
          .filter(TextContent.class::isInstance)
          .map(content -> ((TextContent) content).text())
          .collect(Collectors.joining("\n"));
    }
    if (message instanceof AiMessage ai) {
      String text = ai.text() == null ? "" : ai.text();
      return !text.isBlank() || !ai.hasToolExecutionRequests()
          ? text
          : ai.toolExecutionRequests().stream()
              .map(request -> request.name() + "(" + request.arguments() + ")")
              .collect(Collectors.joining("\n"));
    }
    if (message instanceof SystemMessage system) {
      return system.text();
    }
    return message instanceof ToolExecutionResultMessage result && result.text() != null ? result.text() : "";
  }
}
