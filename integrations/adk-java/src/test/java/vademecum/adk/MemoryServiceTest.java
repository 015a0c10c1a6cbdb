package vademecum.adk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.adk.events.Event;
import com.google.adk.memory.BaseMemoryService;
import com.google.adk.memory.InMemoryMemoryService;
import com.google.adk.memory.MemoryEntry;
import com.google.adk.sessions.Session;
import com.google.genai.types.Blob;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.Part;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import vademecum.client.Client;
import vademecum.client.VademecumException;
import vademecum.contract.TestServer;
import vademecum.v1.AddRequest;
import vademecum.v1.CountRequest;
import vademecum.v1.GetTurnsRequest;
import vademecum.v1.Memory;

/** The same cases with the service of this package and with the in-memory service of ADK. */
class MemoryServiceTest {
  private static final String APP = "guide";
  private static final AtomicInteger USERS = new AtomicInteger();

  private static TestServer server;
  private static Client client;

  private final String user = "user-" + USERS.incrementAndGet();

  enum Kind {
    VADEMECUM,
    IN_MEMORY;

    BaseMemoryService open() {
      return this == VADEMECUM ? new VademecumMemoryService(client) : new InMemoryMemoryService();
    }
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
  void aNewUserHasNoMemories(Kind kind) {
    assertEquals(List.of(), texts(kind.open(), user, "tea"));
  }

  @ParameterizedTest
  @EnumSource
  void theEventsOfASessionAreFound(Kind kind) {
    BaseMemoryService service = kind.open();
    add(service, session("monday", event("1", "I like green tea"), event("2", "It rains in Lyon")));
    assertEquals("I like green tea", texts(service, user, "green tea").get(0));
    assertEquals("It rains in Lyon", texts(service, user, "rains lyon").get(0));
  }

  @ParameterizedTest
  @EnumSource
  void aSessionThatIsAddedAgainDoublesNothing(Kind kind) {
    BaseMemoryService service = kind.open();
    for (int times = 0; times < 3; times++) {
      add(service, session("monday", event("1", "I like tea")));
    }
    add(service, session("monday", event("1", "I like tea"), event("2", "More tea please")));
    assertEquals(List.of("I like tea", "More tea please"), sorted(texts(service, user, "tea")));
  }

  @ParameterizedTest
  @EnumSource
  void usersAndAppsHaveMemoriesOfTheirOwn(Kind kind) {
    BaseMemoryService service = kind.open();
    add(service, session("monday", event("1", "I like tea")));
    assertEquals(List.of(), texts(service, user + "b", "tea"));
    assertEquals(List.of(), service.searchMemory("another app", user, "tea").blockingGet().memories());
    assertEquals(List.of("I like tea"), texts(service, user, "tea"));
  }

  @ParameterizedTest
  @EnumSource
  void eventsOfSeveralSessionsAreFoundTogether(Kind kind) {
    BaseMemoryService service = kind.open();
    add(service, session("monday", event("1", "I like tea")));
    add(service, session("tuesday", event("2", "No tea today")));
    assertEquals(List.of("I like tea", "No tea today"), sorted(texts(service, user, "tea")));
  }

  @ParameterizedTest
  @EnumSource
  void eventsWithoutTextAreNotFound(Kind kind) {
    // The in-memory service fails on a part without text.
    assumeFalse(kind == Kind.IN_MEMORY);
    BaseMemoryService service = kind.open();
    Part call = Part.builder().functionCall(FunctionCall.builder().name("tea").args(Map.of("kind", "green"))).build();
    Event empty = Event.builder().id("3").author("user").build();
    add(service, session("monday", event("1", call), event("2"), empty, event("4", ""), event("5", " ")));
    assertEquals(List.of(), texts(service, user, "tea green kind"));
  }

  @ParameterizedTest
  @EnumSource
  void aContentWithSeveralTextsComesBackWholeWithItsAuthor(Kind kind) {
    BaseMemoryService service = kind.open();
    Event event = event("1", Part.fromText("Which tea"), Part.fromText("is this?"));
    add(service, session("monday", event));
    MemoryEntry entry = entries(service, user, "tea").get(0);
    assertEquals(event.content().orElseThrow(), entry.content());
    assertEquals("user", entry.author());
  }

  @Test
  void aContentWithFilesAndCallsComesBackWholeWithItsTime() {
    BaseMemoryService service = new VademecumMemoryService(client);
    Part image = Part.builder().inlineData(Blob.builder().mimeType("image/png").data(new byte[] {0, -1})).build();
    Part call = Part.builder().functionCall(FunctionCall.builder().name("brew").args(Map.of("grams", 2.5))).build();
    Event event = event("1", Part.fromText("Which tea"), image, call, Part.fromText("is this?"));
    add(service, session("monday", event));
    MemoryEntry entry = entries(service, user, "tea").get(0);
    assertEquals(event.content().orElseThrow().toJson(), entry.content().toJson());
    assertEquals("2023-11-14T22:13:20.123Z", entry.timestamp());
  }

  @Test
  void aVeryLongTextAndALongSessionAreStoredWholeAndOnce() {
    BaseMemoryService service = new VademecumMemoryService(client);
    List<Event> events = new ArrayList<>();
    IntStream.range(0, 600).forEach(it -> events.add(event("short " + it, "event " + it)));
    IntStream.range(0, 8).forEach(it -> events.add(event("long " + it, "Pâté de foie. ".repeat(10_000))));
    for (int times = 0; times < 2; times++) {
      add(service, session("monday", events.toArray(Event[]::new)));
    }
    assertEquals(600 + 8 * 3, client.memories(user, APP).count(CountRequest.newBuilder()).getCount());
  }

  @Test
  void appsWithTheSameAgentShareTheirMemoriesAndEventsAreTurns() {
    BaseMemoryService service = new VademecumMemoryService(client).withAgentId("shared").withLimit(1);
    add(service, session("monday", event("1", "I like tea"), event("2", "and green tea")));
    assertEquals(1, service.searchMemory("phone", user, "tea").blockingGet().memories().size());
    List<Memory> turns =
        client.threads(user, "shared").getTurns(GetTurnsRequest.newBuilder().setThreadId("monday")).getTurnsList();
    assertEquals(List.of("I like tea", "and green tea"), turns.stream().map(Memory::getContent).toList());
  }

  @Test
  void anEmptyQueryFindsNothing() {
    BaseMemoryService service = new VademecumMemoryService(client);
    add(service, session("monday", event("1", "I like tea")));
    assertEquals(List.of(), texts(service, user, " \uFEFF"));
  }

  @Test
  void anErrorOfTheServerReachesTheCaller() {
    BaseMemoryService service = new VademecumMemoryService(client);
    Session session = session("monday", event("x".repeat(300), "too long an id"));
    VademecumException error = assertThrows(VademecumException.class, () -> add(service, session));
    assertEquals("external_id", error.violations().get(0).field());
  }

  @Test
  void memoriesOfOtherClientsAreFoundWhateverTheirMetadataIs() {
    Struct.Builder metadata = Struct.newBuilder();
    metadata.putFields("content", Value.newBuilder().setStringValue("no JSON").build());
    metadata.putFields("role", Value.newBuilder().setNumberValue(3).build());
    client.memories(user, APP).add(AddRequest.newBuilder().setContent("Ada likes tea").setMetadata(metadata));
    assertEquals(List.of("Ada likes tea"), texts(new VademecumMemoryService(client), user, "tea"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"userId", "appName"})
  void withoutAnIdNothingIsDone(String name) {
    BaseMemoryService service = new VademecumMemoryService(client);
    String app = name.equals("appName") ? "" : APP;
    String person = name.equals("userId") ? null : user;
    Exception error =
        assertThrows(
            IllegalArgumentException.class, () -> service.searchMemory(app, person, "tea").blockingGet());
    assertTrue(error.getMessage().startsWith(name + " is missing"), error.getMessage());
  }

  private static void add(BaseMemoryService service, Session session) {
    service.addSessionToMemory(session).blockingAwait();
  }

  private Session session(String id, Event... events) {
    return Session.builder(id).appName(APP).userId(user).events(List.of(events)).build();
  }

  private static Event event(String id, String text) {
    return event(id, Part.fromText(text));
  }

  private static Event event(String id, Part... parts) {
    Content content = Content.builder().role("user").parts(parts).build();
    return Event.builder().id(id).author("user").timestamp(1_700_000_000_123L).content(content).build();
  }

  private static List<MemoryEntry> entries(BaseMemoryService service, String user, String query) {
    return service.searchMemory(APP, user, query).blockingGet().memories();
  }

  private static List<String> texts(BaseMemoryService service, String user, String query) {
    return entries(service, user, query).stream().map(entry -> entry.content().text()).toList();
  }

  private static List<String> sorted(List<String> texts) {
    return texts.stream().sorted().toList();
  }
}
