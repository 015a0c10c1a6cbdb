package vademecum.client;

import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The messages of a call as they arrive. Read the stream once. If you leave the loop early, close
 * the stream.
 */
public final class ResponseStream<R> implements Iterable<R>, AutoCloseable {
  private final Supplier<Iterator<R>> start;
  private final Context.CancellableContext context;
  private final Function<StatusRuntimeException, VademecumException> toError;
  private final Predicate<VademecumException> isRepeated;
  private Iterator<R> messages;
  private boolean hasBegun;

  ResponseStream(
      Supplier<Iterator<R>> start,
      Context.CancellableContext context,
      Function<StatusRuntimeException, VademecumException> toError,
      Predicate<VademecumException> isRepeated) {
    this.start = start;
    this.context = context;
    this.toError = toError;
    this.isRepeated = isRepeated;
    this.messages = start.get();
  }

  @Override
  public Iterator<R> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        boolean hasNext = awaitNext();
        if (!hasNext) {
          close();
        }
        return hasNext;
      }

      @Override
      public R next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return messages.next();
      }
    };
  }

  /**
   * Waits for the next message, and returns false if there is none. If the call fails before its
   * first message, repeats the call after a move, or after an error that allows a retry.
   */
  private boolean awaitNext() {
    while (true) {
      try {
        boolean hasNext = messages.hasNext();
        hasBegun = true;
        return hasNext;
      } catch (StatusRuntimeException cause) {
        VademecumException error = toError.apply(cause);
        if (hasBegun || !isRepeated.test(error)) {
          close();
          throw error;
        }
        messages = start.get();
      }
    }
  }

  /** Cancels the call, also on the server. */
  @Override
  public void close() {
    context.cancel(null);
  }
}
