package vademecum.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import vademecum.client.Client;

/** The promises of every adapter. A test class of the adapter extends it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class Contract {
  /** More chunks than any reply of a write has. */
  private static final int CHUNKS_MAX = 30;

  private static final List<String> UNICODE_TEXTS =
      List.of(
          "Zürich, naïve, ﬁ",
          "👩‍👩‍👧‍👦 👋🏽 🌰",
          "日本語のテキスト，中文文本",
          "שלום مرحبا",
          "e\u0301 is not \u00e9",
          "quotes \" and \\ and \n lines \t and </tags>");

  private final TestServer server = new TestServer();
  private final BreakingProxy proxy = new BreakingProxy();
  private final AtomicInteger users = new AtomicInteger();
  private String key;

  /** Opens the adapter for a user. With an empty id, this or the first write must fail. */
  protected abstract Subject open(Client client, String userId);

  /** The role that the adapter needs on a server with credentials. Default: writer. */
  protected String role() {
    return "writer";
  }

  /** Whether the adapter keeps texts in order. Default: true. */
  protected boolean isOrdered() {
    return true;
  }

  @BeforeAll
  void createKey() {
    key = server.createKey(role());
    start();
  }

  private void start() {
    server.start();
    proxy.forwardTo(server.address());
  }

  @AfterAll
  void stop() {
    proxy.close();
    server.close();
  }

  @Test
  void aUserSeesNoTextOfAnotherUser() {
    with(
        ada ->
            with(
                bea -> {
                  ada.write("Ada keeps a secret.");
                  assertEquals(List.of(), bea.read());
                  bea.write("Bea keeps another one.");
                  assertEquals(List.of("Ada keeps a secret."), ada.read());
                  assertEquals(List.of("Bea keeps another one."), bea.read());
                }));
  }

  @Test
  void textsAreReadAsTheyWereWrittenInAllScripts() {
    with(
        subject -> {
          UNICODE_TEXTS.forEach(subject::write);
          assertTexts(UNICODE_TEXTS, subject.read());
        });
  }

  @Test
  void withoutAUserTheAdapterRefusesToWork() {
    Exception error =
        assertThrows(
            Exception.class,
            () -> {
              try (Client client = connect()) {
                open(client, "").write("Whose text is this?");
              }
            });
    assertTrue(error.getMessage().toLowerCase().contains("user"), error.getMessage());
  }

  @Test
  void aWriteWhoseConnectionBreaksIsStoredOnce() {
    for (int chunks = 0; chunks < CHUNKS_MAX; chunks++) {
      if (!breakOnce(chunks)) {
        return;
      }
    }
    fail("a write has more replies than expected");
  }

  @Test
  void aWriteDuringARestartOfTheServerIsStoredOnce() {
    with(
        subject -> {
          subject.write("before");
          proxy.hold();
          server.kill();
          CompletableFuture<Void> written = CompletableFuture.runAsync(() -> subject.write("meanwhile"));
          start();
          written.join();
          subject.write("after");
          assertTexts(List.of("before", "meanwhile", "after"), subject.read());
        });
  }

  @Test
  void aDeletedTextStaysDeletedAlsoAfterARestart() {
    with(
        subject -> {
          List.of("first", "second").forEach(subject::write);
          subject.remove("second");
          assertTexts(List.of("first"), subject.read());
          proxy.hold();
          server.kill();
          start();
          subject.write("third");
          assertTexts(List.of("first", "third"), subject.read());
        });
  }

  @Test
  void aReadReturnsNoMoreTextsThanItMay() {
    with(
        subject -> {
          List.of("red", "green", "blue").forEach(color -> subject.write(color + " paint"));
          assertEquals(2, subject.readSome(2).size());
        });
  }

  /** Breaks the connections of a write after some chunks of replies. Returns whether there were so many. */
  private boolean breakOnce(int chunks) {
    AtomicBoolean hasBroken = new AtomicBoolean();
    with(
        subject -> {
          subject.write("before");
          proxy.breakAfter(chunks);
          subject.write("once");
          hasBroken.set(proxy.hasBroken());
          assertTexts(List.of("before", "once"), subject.read());
        });
    return hasBroken.get();
  }

  /** Opens the adapter for a user that no other case has. */
  private void with(Consumer<Subject> check) {
    try (Client client = connect()) {
      check.accept(open(client, "contract-" + users.incrementAndGet()));
    }
  }

  private Client connect() {
    return Client.builder(proxy.address()).key(key).connect();
  }

  private void assertTexts(List<String> expected, List<String> texts) {
    if (isOrdered()) {
      assertEquals(expected, texts);
    } else {
      assertEquals(expected.stream().sorted().toList(), texts.stream().sorted().toList());
    }
  }
}
