package vademecum.springai;

import java.util.List;
import java.util.function.Supplier;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.Message;
import org.springframework.util.Assert;
import vademecum.client.Adapters;
import vademecum.client.Client;
import vademecum.client.ItemThreads;

/**
 * A repository for the chat memory of Spring AI whose conversations are the threads of a user:
 * durable, whole and in order, and found by searches.
 */
public final class VademecumChatMemoryRepository implements ChatMemoryRepository {
  private final Client client;
  private final Supplier<String> userId;
  private final String agentId;

  /**
   * Creates a repository for one user.
   *
   * @param client the connection: {@code Client.connect(address)}; the caller closes it
   * @param userId the id of the person who talks with the agent, 1 to 256 bytes; no default
   * @param agentId the id of the agent, 1 to 256 bytes
   * @throws IllegalArgumentException if an id is null or empty
   */
  public VademecumChatMemoryRepository(Client client, String userId, String agentId) {
    this(client, () -> userId, agentId);
    Adapters.requireId("userId", userId);
  }

  /**
   * Creates a repository for the user of each call, such as a bean of an application with many
   * users.
   *
   * @param userId returns the id of the user in the thread of the call; if it returns null or an
   *     empty text, the call fails with an IllegalArgumentException
   */
  public VademecumChatMemoryRepository(Client client, Supplier<String> userId, String agentId) {
    this.client = client;
    this.userId = userId;
    this.agentId = Adapters.requireId("agentId", agentId);
  }

  /** Returns the ids of all conversations of the user, in the order of their bytes. */
  @Override
  public List<String> findConversationIds() {
    return threads().threadIds();
  }

  @Override
  public List<Message> findByConversationId(String conversationId) {
    requireText(conversationId);
    return threads().read(conversationId).stream().map(MessageForms::messageOf).toList();
  }

  /** Replaces the messages of a conversation. Those that stay in their order keep their times. */
  @Override
  public void saveAll(String conversationId, List<Message> messages) {
    requireText(conversationId);
    Assert.notNull(messages, "messages cannot be null");
    Assert.noNullElements(messages, "messages cannot contain null elements");
    threads().save(conversationId, messages.stream().map(MessageForms::itemOf).toList());
  }

  @Override
  public void deleteByConversationId(String conversationId) {
    requireText(conversationId);
    threads().delete(conversationId);
  }

  private ItemThreads threads() {
    return new ItemThreads(client, userId.get(), agentId);
  }

  private static void requireText(String conversationId) {
    Assert.hasText(conversationId, "conversationId cannot be null or empty");
  }
}
