package vademecum.langchain4j;

import java.util.concurrent.atomic.AtomicInteger;
import vademecum.client.Client;
import vademecum.contract.TestServer;

/** One server for the tests of all classes, until the tests end. */
final class TestConnection {
  private static final AtomicInteger USERS = new AtomicInteger();

  static final Client CLIENT = connect();

  private TestConnection() {}

  static String newUser() {
    return "user-" + USERS.incrementAndGet();
  }

  private static Client connect() {
    TestServer server = new TestServer();
    server.start();
    Client client = Client.connect(server.address());
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  client.close();
                  server.close();
                }));
    return client;
  }
}
