package vademecum.springai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.InMemoryChatMemoryRepository;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.util.MimeTypeUtils;
import vademecum.client.Client;
import vademecum.contract.TestServer;
import vademecum.v1.GetTurnsRequest;
import vademecum.v1.Memory;
import vademecum.v1.SearchRequest;

/** The same cases with the repository of this package and with that of Spring AI in memory. */
class ChatMemoryRepositoryTest {
  private static final AtomicInteger USERS = new AtomicInteger();

  private static TestServer server;
  private static Client client;

  private final String user = "user-" + USERS.incrementAndGet();

  enum Kind {
    VADEMECUM,
    IN_MEMORY
  }

  private ChatMemoryRepository open(Kind kind) {
    return kind == Kind.VADEMECUM ? repository() : new InMemoryChatMemoryRepository();
  }

  private ChatMemoryRepository repository() {
    return new VademecumChatMemoryRepository(client, user, "guide");
  }

  @BeforeAll
  static void start() {
    server = new TestServer();
    server.start();
    client = Client.connect(server.address());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void theIdsOfConversationsAreFound(Kind kind) {
    ChatMemoryRepository repository = open(kind);
    assertEquals(List.of(), repository.findConversationIds());
    for (String id : List.of("a", "b")) {
      repository.saveAll(id, List.of(new UserMessage("Hello")));
    }
    assertEquals(List.of("a", "b"), repository.findConversationIds().stream().sorted().toList());
    repository.deleteByConversationId("a");
    assertEquals(List.of("b"), repository.findConversationIds());
  }

  @ParameterizedTest
  @EnumSource
  void severalMessagesAreSavedInOrder(Kind kind) {
    ChatMemoryRepository repository = open(kind);
    List<Message> messages =
        List.of(new AssistantMessage("one"), new UserMessage("two"), new SystemMessage("three"), new UserMessage("two"));
    repository.saveAll("a", messages);
    assertEquals(messages, repository.findByConversationId("a"));
  }

  @ParameterizedTest
  @EnumSource
  void savingReplacesTheMessages(Kind kind) {
    ChatMemoryRepository repository = open(kind);
    repository.saveAll("a", List.of(new UserMessage("one"), new UserMessage("two"), new UserMessage("three")));
    List<List<Message>> states =
        List.of(
            List.of(new UserMessage("two"), new UserMessage("three"), new UserMessage("four")),
            List.of(new SystemMessage("zero"), new UserMessage("two"), new UserMessage("four")),
            List.of(new UserMessage("four"), new UserMessage("two")),
            List.of(new UserMessage("four")),
            List.of());
    for (List<Message> state : states) {
      repository.saveAll("a", state);
      assertEquals(state, repository.findByConversationId("a"));
    }
  }

  @Test
  void theRoleWriterIsEnoughForAWindow() {
    try (TestServer guarded = new TestServer()) {
      String key = guarded.createKey("writer");
      guarded.start();
      try (Client writer = Client.builder(guarded.address()).key(key).connect()) {
        var repository = new VademecumChatMemoryRepository(writer, "ada", "guide");
        ChatMemory memory = MessageWindowChatMemory.builder().chatMemoryRepository(repository).maxMessages(2).build();
        for (String text : List.of("yes", "no", "yes")) {
          memory.add("a", new UserMessage(text));
        }
        assertEquals(List.of(new UserMessage("no"), new UserMessage("yes")), memory.get("a"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUnknownConversationHasNoMessagesAndCanBeDeleted(Kind kind) {
    ChatMemoryRepository repository = open(kind);
    assertEquals(List.of(), repository.findByConversationId("a"));
    repository.deleteByConversationId("a");
  }

  @ParameterizedTest
  @EnumSource
  void conversationsAreSeparate(Kind kind) {
    ChatMemoryRepository repository = open(kind);
    repository.saveAll("a", List.of(new UserMessage("one")));
    repository.saveAll("b", List.of(new UserMessage("two")));
    repository.deleteByConversationId("b");
    assertEquals(List.of(new UserMessage("one")), repository.findByConversationId("a"));
    assertEquals(List.of(), repository.findByConversationId("b"));
  }

  @ParameterizedTest
  @EnumSource
  void aMissingIdOrMessageIsRefused(Kind kind) {
    ChatMemoryRepository repository = open(kind);
    for (String id : Arrays.asList(null, "", " ")) {
      assertRefused("conversationId", () -> repository.findByConversationId(id));
      assertRefused("conversationId", () -> repository.saveAll(id, List.of()));
      assertRefused("conversationId", () -> repository.deleteByConversationId(id));
    }
    assertRefused("messages", () -> repository.saveAll("a", null));
    assertRefused("messages", () -> repository.saveAll("a", Arrays.asList((Message) null)));
  }

  @ParameterizedTest
  @EnumSource
  void aWindowKeepsTheNewestMessagesAndTheSystemMessage(Kind kind) {
    ChatMemory memory = MessageWindowChatMemory.builder().chatMemoryRepository(open(kind)).maxMessages(3).build();
    memory.add("a", new SystemMessage("Be kind."));
    for (int turn = 1; turn <= 4; turn++) {
      memory.add("a", List.of(new UserMessage("question " + turn), new AssistantMessage("answer " + turn)));
    }
    assertEquals(List.of("Be kind.", "question 4", "answer 4"), texts(memory));
    memory.add("a", new SystemMessage("Be brief."));
    assertEquals(List.of("question 4", "answer 4", "Be brief."), texts(memory));
    memory.clear("a");
    assertEquals(List.of(), memory.get("a"));
  }

  @ParameterizedTest
  @EnumSource
  void messagesComeBackWhole(Kind kind) {
    ChatMemoryRepository repository = open(kind);
    UserMessage user = UserMessage.builder().text("What is this?").metadata(Map.of("channel", "web", "tries", 2)).build();
    AssistantMessage call =
        AssistantMessage.builder()
            .properties(Map.of("score", 0.5, "labels", List.of("a", true)))
            .toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", "weather", "{\"city\": \"Lyon\"}")))
            .build();
    ToolResponseMessage response =
        ToolResponseMessage.builder().responses(List.of(new ToolResponseMessage.ToolResponse("1", "weather", "It rains"))).build();
    repository.saveAll("a", List.of(user, call, response, new AssistantMessage("")));
    assertEquals(List.of(user, call, response, new AssistantMessage("")), repository.findByConversationId("a"));
  }

  @Test
  void filesComeBackWhole() {
    byte[] bytes = new byte[20_000];
    Media picture = Media.builder().mimeType(MimeTypeUtils.IMAGE_PNG).data(bytes).id("p1").name("picture").build();
    Media linked = new Media(MimeTypeUtils.IMAGE_JPEG, URI.create("https://example.com/cat.jpg"));
    repository().saveAll("a", List.of(UserMessage.builder().text("Two cats").media(picture, linked).build()));
    UserMessage read = (UserMessage) repository().findByConversationId("a").get(0);
    assertEquals(bytes.length, read.getMedia().get(0).getDataAsByteArray().length);
    assertEquals("p1 picture", read.getMedia().get(0).getId() + " " + read.getMedia().get(0).getName());
    assertEquals("https://example.com/cat.jpg", read.getMedia().get(1).getData().toString());
  }

  @Test
  void longMessagesAndLongConversationsAreSavedWhole() {
    List<Message> messages = new ArrayList<>();
    IntStream.range(0, 700).forEach(it -> messages.add(new UserMessage("message " + it)));
    IntStream.range(0, 10).forEach(it -> messages.add(new AssistantMessage("naïve \" 🌰 \n".repeat(20_000) + it)));
    repository().saveAll("a", messages);
    assertEquals(messages, repository().findByConversationId("a"));
    List<Message> others = messages.subList(100, messages.size());
    repository().saveAll("a", others);
    assertEquals(others, repository().findByConversationId("a"));
  }

  @Test
  void messagesThatStayKeepTheirTimesAndNewMessagesAreAppended() {
    repository().saveAll("a", List.of(new UserMessage("one"), new UserMessage("two")));
    List<Memory> before = turns("a");
    repository().saveAll("a", List.of(new UserMessage("one"), new UserMessage("two"), new UserMessage("three")));
    assertEquals(before, turns("a").subList(0, 2));
    repository().saveAll("a", List.of(new UserMessage("two"), new UserMessage("three"), new UserMessage("four")));
    assertEquals(before.get(1), turns("a").get(0));
    List<Memory> saved = turns("a");
    repository().saveAll("a", repository().findByConversationId("a"));
    assertEquals(saved, turns("a"));
  }

  @Test
  void messagesAreFoundBySearches() {
    repository().saveAll("a", List.of(new UserMessage("I am allergic to hazelnuts."), new AssistantMessage("Noted.")));
    Memory found =
        client.memories(user, "guide").search(SearchRequest.newBuilder().setQuery("nut allergy")).collect().hits().get(0).getMemory();
    assertEquals("user: I am allergic to hazelnuts.", found.getAuthor() + ": " + found.getContent());
  }

  @Test
  void theUserOfEachCallIsAsked() {
    String[] current = {user};
    ChatMemoryRepository repository = new VademecumChatMemoryRepository(client, () -> current[0], "guide");
    repository.saveAll("a", List.of(new UserMessage("mine")));
    current[0] = user + "b";
    assertEquals(List.of(), repository.findByConversationId("a"));
    current[0] = null;
    assertRefused("userId is missing", repository::findConversationIds);
    assertRefused("userId is missing", () -> new VademecumChatMemoryRepository(client, "", "guide"));
    assertRefused("agentId is missing", () -> new VademecumChatMemoryRepository(client, user, null));
  }

  private List<Memory> turns(String conversationId) {
    return client.threads(user, "guide").getTurns(GetTurnsRequest.newBuilder().setThreadId(conversationId)).getTurnsList();
  }

  private static List<String> texts(ChatMemory memory) {
    return memory.get("a").stream().map(Message::getText).toList();
  }

  private static void assertRefused(String part, Runnable call) {
    String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
    assertTrue(message.contains(part), message);
  }
}
