package dev.vademecum.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import dev.vademecum.v1.GetAllRequest;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientTest {
  /** An address on which nothing listens. */
  private static final String NO_SERVER = "127.0.0.1:1";

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
    for (String address : List.of("127.0.0.1:1", "127.1.2.3:1", "[::1]:1", "localhost:1", "LOCALHOST:1")) {
      Client.builder(address).key("secret").connect().close();
    }
    Client.builder("192.0.2.1:50051").key("secret").tls().connect().close();
    Client.builder("192.0.2.1:50051").key("").connect().close();
  }

  @Test
  void aClosedClientRepeatsNoCall() {
    Client client = Client.builder(NO_SERVER).connect();
    Memories memories = client.memories("ada", "guide");
    client.close();
    VademecumException error = assertThrows(VademecumException.class, () -> memories.getAll(GetAllRequest.newBuilder()));
    assertEquals(Status.Code.UNAVAILABLE, error.code());
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
    for (int message : new ResponseStream<>(() -> List.of(1, 2).iterator(), context, null)) {
      assertTrue(message > 0 && !context.isCancelled());
    }
    assertTrue(context.isCancelled());
  }
}
