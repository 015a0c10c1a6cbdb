package vademecum.client;

import io.grpc.Status;
import java.math.BigDecimal;
import java.time.Duration;

/**
 * What the message of a failed call names if the server has not answered it.
 *
 * @param call the call, such as {@code MemoryProvider.Add}
 * @param address the address of the server
 * @param hasTls whether the client uses TLS
 * @param limit the limit of the call with all its retries
 */
record CallTarget(String call, String address, boolean hasTls, Duration limit) {
  /** Returns the message of an error that does not come from a Vademecum server. */
  String explain(Status status) {
    String message = status.getDescription() == null ? status.getCode().name() : status.getDescription();
    return switch (status.getCode()) {
      case DEADLINE_EXCEEDED ->
          call + " got no reply from " + address + " within its limit of " + seconds()
              + ". A write may have taken effect: repeat it with the same idempotency key. "
              + "Or give the call a longer timeout.";
      case UNAVAILABLE ->
          call + " got no answer from " + address + (hasTls ? " with" : " without") + " TLS (limit " + seconds() + "): "
              + message + causeOf(status) + ". Check that a server runs there, that the port is its gRPC port "
              + "(50051 by default), and that "
              + (hasTls ? "it uses TLS with a certificate that the client trusts." : "it does not require TLS.");
      default -> message;
    };
  }

  /** The description of a failed connection is only "io exception". Its cause says more. */
  private static String causeOf(Status status) {
    Throwable cause = status.getCause();
    return cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage();
  }

  private String seconds() {
    BigDecimal seconds = BigDecimal.valueOf(limit.getSeconds()).add(BigDecimal.valueOf(limit.toMillisPart(), 3));
    return seconds.stripTrailingZeros().toPlainString() + " s";
  }
}
