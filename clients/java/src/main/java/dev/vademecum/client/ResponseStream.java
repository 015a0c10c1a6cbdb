package dev.vademecum.client;

import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.util.Iterator;

/** The messages of a call as they arrive. Read them once; close the stream if you leave early. */
public final class ResponseStream<R> implements Iterable<R>, AutoCloseable {
  private final Iterator<R> messages;
  private final Context.CancellableContext context;

  ResponseStream(Iterator<R> messages, Context.CancellableContext context) {
    this.messages = messages;
    this.context = context;
  }

  @Override
  public Iterator<R> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        try {
          boolean hasNext = messages.hasNext();
          if (!hasNext) {
            close();
          }
          return hasNext;
        } catch (StatusRuntimeException cause) {
          close();
          throw new VademecumException(cause);
        }
      }

      @Override
      public R next() {
        try {
          return messages.next();
        } catch (StatusRuntimeException cause) {
          close();
          throw new VademecumException(cause);
        }
      }
    };
  }

  /** Ends the call, also on the server. */
  @Override
  public void close() {
    context.cancel(null);
  }
}
