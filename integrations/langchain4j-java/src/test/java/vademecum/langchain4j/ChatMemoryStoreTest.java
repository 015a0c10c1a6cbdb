package vademecum.langchain4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same cases with the store of this package and with the in-memory store of LangChain4j. */
class ChatMemoryStoreTest {
  private final String user = TestConnection.newUser();

  enum Kind {
    VADEMECUM,
    IN_MEMORY
  }

  private ChatMemoryStore open(Kind kind) {
    return kind == Kind.VADEMECUM ? store() : new InMemoryChatMemoryStore();
  }

  private ChatMemoryStore store() {
    return new VademecumChatMemoryStore(TestConnection.CLIENT, user, "guide");
  }

  @ParameterizedTest
  @EnumSource
  void messagesAreStoredReadAndDeleted(Kind kind) {
    ChatMemoryStore store = open(kind);
    assertEquals(List.of(), store.getMessages("foo"));
    List<ChatMessage> messages = List.of(new UserMessage("abc def"), new AiMessage("ghi jkl"));
    store.updateMessages("foo", messages);
    assertEquals(messages, store.getMessages("foo"));
    store.deleteMessages("foo");
    assertEquals(List.of(), store.getMessages("foo"));
    store.deleteMessages("foo");
  }

  @ParameterizedTest
  @EnumSource
  void anUpdateReplacesTheMessages(Kind kind) {
    ChatMemoryStore store = open(kind);
    List<List<ChatMessage>> states =
        List.of(
            List.of(new UserMessage("one"), new UserMessage("two"), new UserMessage("one")),
            List.of(new UserMessage("two"), new UserMessage("one"), new UserMessage("three")),
            List.of(new SystemMessage("zero"), new UserMessage("one")),
            List.of());
    for (List<ChatMessage> state : states) {
      store.updateMessages(7, state);
      assertEquals(state, store.getMessages(7));
    }
  }

  @ParameterizedTest
  @EnumSource
  void conversationsAreSeparate(Kind kind) {
    ChatMemoryStore store = open(kind);
    store.updateMessages("a", List.of(new UserMessage("one")));
    store.updateMessages("b", List.of(new UserMessage("two")));
    store.deleteMessages("b");
    assertEquals(List.of(new UserMessage("one")), store.getMessages("a"));
  }

  @ParameterizedTest
  @EnumSource
  void aWindowKeepsTheNewestMessagesAndTheSystemMessage(Kind kind) {
    ChatMemory memory = MessageWindowChatMemory.builder().id("a").maxMessages(3).chatMemoryStore(open(kind)).build();
    memory.add(new SystemMessage("Be kind."));
    for (int turn = 1; turn <= 3; turn++) {
      memory.add(new UserMessage("question " + turn));
      memory.add(new AiMessage("answer " + turn));
    }
    assertEquals(
        List.of(new SystemMessage("Be kind."), new UserMessage("question 3"), new AiMessage("answer 3")), memory.messages());
    memory.clear();
    assertEquals(List.of(), memory.messages());
  }

  @ParameterizedTest
  @EnumSource
  void messagesComeBackWhole(Kind kind) {
    ChatMemoryStore store = open(kind);
    ToolExecutionRequest request = ToolExecutionRequest.builder().id("1").name("weather").arguments("{\"city\": \"Lyon\"}").build();
    List<ChatMessage> messages =
        List.of(
            UserMessage.from("Ada", TextContent.from("What is this?"), ImageContent.from("AP8=", "image/png")),
            AiMessage.from(request),
            ToolExecutionResultMessage.from(request, "It rains"),
            AiMessage.from("A cat."));
    store.updateMessages("a", messages);
    assertEquals(messages, store.getMessages("a"));
  }

  @Test
  void longMessagesAndLongConversationsAreStoredWhole() {
    List<ChatMessage> messages = new ArrayList<>();
    IntStream.range(0, 600).forEach(it -> messages.add(new UserMessage("message " + it)));
    IntStream.range(0, 6).forEach(it -> messages.add(new AiMessage("naïve \" 🌰 \n".repeat(20_000) + it)));
    store().updateMessages("a", messages);
    assertEquals(messages, store().getMessages("a"));
  }

  @Test
  void withoutAnIdNothingIsDone() {
    assertRefused("userId", () -> new VademecumChatMemoryStore(TestConnection.CLIENT, "", "guide"));
    assertRefused("agentId", () -> new VademecumChatMemoryStore(TestConnection.CLIENT, user, null));
    assertRefused("userId", () -> new VademecumChatMemoryStore(TestConnection.CLIENT, () -> null, "guide").getMessages("a"));
    assertRefused("memoryId", () -> store().getMessages(null));
    assertRefused("userId", () -> new VademecumContentRetriever(TestConnection.CLIENT, "", "guide"));
    assertRefused("userId", () -> new VademecumEmbeddingStore(TestConnection.CLIENT, null, "guide"));
  }

  private static void assertRefused(String name, Runnable call) {
    String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
    assertTrue(message.startsWith(name + " is missing"), message);
  }
}
