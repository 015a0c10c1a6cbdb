package vademecum.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import vademecum.v1.GetAllRequest;

class ClientTest {
  /** An address on which nothing listens. */
  private static final String NO_SERVER = "127.0.0.1:1";

  /** Tests run in the folder of the client. */
  private static final Path CERTIFICATE = Path.of("..", "conformance", "tls", "client-cert.pem");

  private static final Path KEY = Path.of("..", "conformance", "tls", "client-key.pem");

  @Test
  void connectRequiresAHostAndAPort() {
    for (String address : List.of("localhost", "127.0.0.1:50051\n")) {
      IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> Client.connect(address));
      assertEquals("address: is \"" + address + "\" and must be a host and port, such as 127.0.0.1:50051", error.getMessage());
    }
  }

  @Test
  void aClientShowsItsAddressAndNoKey() {
    try (Client client = Client.builder(NO_SERVER).key("secret").connect()) {
      assertEquals("Client(" + NO_SERVER + ")", client.toString());
    }
  }

  @Test
  void connectSaysThatAHostNameWithAnUnderscoreIsNotAllowed() {
    IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> Client.connect("my_server:50051"));
    assertTrue(error.getMessage().contains("underscore"), error.getMessage());
  }

  @Test
  void connectNamesTheFileWithoutACertificateInPemForm() throws Exception {
    byte[] der;
    try (InputStream pem = Files.newInputStream(CERTIFICATE)) {
      der = CertificateFactory.getInstance("X.509").generateCertificate(pem).getEncoded();
    }
    Path file = Files.createTempFile("vademecum", ".pem");
    try {
      for (byte[] content : List.of(new byte[0], "no certificate".getBytes(), Files.readAllBytes(KEY), der)) {
        Files.write(file, content);
        for (Client.Builder builder :
            List.of(Client.builder(NO_SERVER).tls(file), Client.builder(NO_SERVER).clientCertificate(file, KEY))) {
          IllegalArgumentException error = assertThrows(IllegalArgumentException.class, builder::connect);
          assertEquals(file + ": has no certificate in PEM form", error.getMessage());
        }
      }
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void connectNamesTheFileWithoutAPrivateKey() {
    Client.builder(NO_SERVER).clientCertificate(CERTIFICATE, KEY).connect().close();
    IllegalArgumentException error =
        assertThrows(
            IllegalArgumentException.class, () -> Client.builder(NO_SERVER).clientCertificate(CERTIFICATE, CERTIFICATE).connect());
    assertTrue(error.getMessage().startsWith(CERTIFICATE + ": has no private key in PEM form"), error.getMessage());
  }

  @Test
  void aPauseBeforeARetryEndsWhenTheCallIsCancelled() {
    Context.CancellableContext call = Context.ROOT.withCancellation();
    Retries retries = new Retries(call, Context.ROOT, Deadline.after(1, TimeUnit.HOURS));
    CompletableFuture<Boolean> pause = CompletableFuture.supplyAsync(() -> retries.waitAfter(refusal(600)));
    call.cancel(null);
    assertTrue(assertTimeoutPreemptively(Duration.ofSeconds(60), () -> pause.get()));
  }

  @Test
  void aPauseBeforeARetryEndsWhenTheClientIsClosed() {
    Context.CancellableContext client = Context.ROOT.withCancellation();
    Retries retries = new Retries(Context.ROOT, client, Deadline.after(1, TimeUnit.HOURS));
    CompletableFuture<Boolean> pause = CompletableFuture.supplyAsync(() -> retries.waitAfter(refusal(600)));
    client.cancel(null);
    assertTrue(assertTimeoutPreemptively(Duration.ofSeconds(60), () -> pause.get()));
  }

  /** Returns the error of a server that asks for a pause before a retry. */
  private static VademecumException refusal(int pauseSeconds) {
    RetryInfo pause =
        RetryInfo.newBuilder().setRetryDelay(com.google.protobuf.Duration.newBuilder().setSeconds(pauseSeconds)).build();
    com.google.rpc.Status status =
        com.google.rpc.Status.newBuilder().setCode(Code.RESOURCE_EXHAUSTED_VALUE).addDetails(Any.pack(pause)).build();
    return new VademecumException(StatusProto.toStatusRuntimeException(status));
  }

  @Test
  void keyRefusesCharactersThatNoHeaderCanHold() {
    for (String key : List.of("from a file\n", "ключ")) {
      assertThrows(IllegalArgumentException.class, () -> Client.builder(NO_SERVER).key(key));
    }
  }

  @Test
  void connectRefusesToSendAKeyInPlaintextToAnotherMachine() {
    for (String address : List.of("192.0.2.1:50051", "memory.example.com:50051", "[2001:db8::1]:50051", "localhost.example.com:50051")) {
      IllegalArgumentException error =
          assertThrows(IllegalArgumentException.class, () -> Client.builder(address).key("secret").connect());
      assertTrue(error.getMessage().contains("plaintext") && !error.getMessage().contains("secret"), error.getMessage());
    }
    for (String address : List.of("127.0.0.1:1", "127.1.2.3:1", "[::1]:1", "[0:0:0:0:0:0:0:1]:1", "localhost:1", "LOCALHOST:1")) {
      Client.builder(address).key("secret").connect().close();
    }
    Client.builder("192.0.2.1:50051").key("secret").tls().connect().close();
    Client.builder("192.0.2.1:50051").key("").connect().close();
  }

  @Test
  void aClientCanBeClosedTwiceAndLaterCallsAreCancelled() {
    Client client = Client.builder(NO_SERVER).connect();
    Memories memories = client.memories("ada", "guide");
    client.close();
    client.close();
    VademecumException error = assertThrows(VademecumException.class, () -> memories.getAll(GetAllRequest.newBuilder()));
    assertEquals(Status.Code.CANCELLED, error.code());
  }

  @Test
  void aCertificateFromTheEnvironmentWithoutItsKeyIsRefused() {
    Environment environment = new Environment(Map.of("VADEMECUM_TLS_CERT", "cert.pem", "VADEMECUM_TLS_KEY", ""));
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> TlsFiles.NONE.completedFrom(environment));
    assertTrue(error.getMessage().startsWith("VADEMECUM_TLS_KEY: missing"), error.getMessage());
  }

  @Test
  void theLongestTimeoutIsAllowed() {
    try (Client client = Client.builder(NO_SERVER).timeout(ChronoUnit.FOREVER.getDuration()).connect()) {
      Memories memories = client.memories("ada", "guide");
      VademecumException error = assertThrows(VademecumException.class, () -> memories.getAll(GetAllRequest.newBuilder()));
      assertEquals(Status.Code.UNAVAILABLE, error.code());
    }
  }

  @Test
  void anErrorMessageNamesTheReason() {
    com.google.rpc.Status status =
        com.google.rpc.Status.newBuilder()
            .setCode(Code.INVALID_ARGUMENT_VALUE)
            .setMessage("content: is empty")
            .addDetails(Any.pack(ErrorInfo.newBuilder().setReason("INVALID_FIELD").build()))
            .build();
    VademecumException error = new VademecumException(StatusProto.toStatusRuntimeException(status));
    assertEquals("INVALID_ARGUMENT (INVALID_FIELD): content: is empty", error.getMessage());
  }

  @Test
  void aCompletelyReadStreamCancelsItsContext() {
    Context.CancellableContext context = Context.current().withCancellation();
    for (int message : new ResponseStream<>(() -> List.of(1, 2).iterator(), context, null, null)) {
      assertTrue(message > 0 && !context.isCancelled());
    }
    assertTrue(context.isCancelled());
  }
}
