package vademecum.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A failed call. Programs should check {@link #code} and {@link #reason}. The message is for people
 * and may change.
 */
public final class VademecumException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Status.Code code;
  private final String reason;
  private final transient List<FieldViolation> violations;
  private final Duration retryAfter;
  private final String movedTo;

  /**
   * An invalid field of the request.
   *
   * @param field the field's path in the definitions, such as {@code filter.time_range} or
   * {@code tags[3]}
   * @param description what is wrong and what is allowed
   */
  public record FieldViolation(String field, String description) {}

  /** Converts the error of a call. Explains it if it does not come from a Vademecum server. */
  VademecumException(StatusRuntimeException cause, CallTarget target) {
    this(cause, detailsOf(cause), target::explain);
  }

  /** Converts an error that the client itself made. */
  VademecumException(StatusRuntimeException cause) {
    this(cause, detailsOf(cause), Status::getDescription);
  }

  private VademecumException(StatusRuntimeException cause, List<Any> details, Function<Status, String> describe) {
    super(messageOf(cause.getStatus(), details, describe), cause);
    code = cause.getStatus().getCode();
    reason = reasonOf(details);
    violations =
        detail(details, BadRequest.class).stream()
            .flatMap(it -> it.getFieldViolationsList().stream())
            .map(it -> new FieldViolation(it.getField(), it.getDescription()))
            .toList();
    retryAfter =
        detail(details, RetryInfo.class)
            .map(RetryInfo::getRetryDelay)
            .map(it -> Duration.ofSeconds(it.getSeconds(), it.getNanos()))
            .orElse(null);
    movedTo =
        detail(details, ErrorInfo.class)
            .filter(it -> it.getReason().equals("MOVED"))
            .map(it -> it.getMetadataOrDefault("address", "").replaceFirst("^.*://", ""))
            .orElse(null);
  }

  /** Returns the canonical code. */
  public Status.Code code() {
    return code;
  }

  /**
   * Returns a stable name from docs/reference/errors.md, or an empty string if the error has none, such as a
   * lost connection.
   */
  public String reason() {
    return reason;
  }

  /** Returns the invalid fields, if any. */
  public List<FieldViolation> violations() {
    return violations;
  }

  /** Returns how long to wait before a retry, if the server named a time. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /**
   * Returns the address of the server to which the user or run has moved. Present only for the
   * reason {@code MOVED}. The client does not call this server by itself: the server that it knows
   * forwards calls, or says with this error that it does not. To use the other server, connect to
   * its address.
   */
  public Optional<String> movedTo() {
    return Optional.ofNullable(movedTo);
  }

  private static String messageOf(Status status, List<Any> details, Function<Status, String> describe) {
    String reason = reasonOf(details);
    return reason.isEmpty()
        ? status.getCode().name() + ": " + describe.apply(status)
        : status.getCode() + " (" + reason + "): " + status.getDescription();
  }

  private static String reasonOf(List<Any> details) {
    return detail(details, ErrorInfo.class).map(ErrorInfo::getReason).orElse("");
  }

  private static List<Any> detailsOf(StatusRuntimeException cause) {
    com.google.rpc.Status status = StatusProto.fromThrowable(cause);
    return status == null ? List.of() : status.getDetailsList();
  }

  private static <T extends com.google.protobuf.Message> Optional<T> detail(List<Any> details, Class<T> type) {
    for (Any detail : details) {
      if (detail.is(type)) {
        try {
          return Optional.of(detail.unpack(type));
        } catch (InvalidProtocolBufferException unreadable) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }
}
