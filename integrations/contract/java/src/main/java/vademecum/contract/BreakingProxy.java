package vademecum.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Forwards connections to a server, whose address may change. On request, it breaks all connections
 * in place of passing on a chunk of a reply.
 */
public final class BreakingProxy implements AutoCloseable {
  private static final int NO_BREAK = -1;

  private final ServerSocket listener;
  private final List<Socket> sockets = new ArrayList<>();
  private String target = "";
  private int chunksLeft = NO_BREAK;

  public BreakingProxy() {
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException cause) {
      throw new UncheckedIOException(cause);
    }
    inBackground(this::accept);
  }

  /** Host and port of the proxy, which stay the same. */
  public String address() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  /** Keeps new connections waiting until {@link #forwardTo}. */
  public synchronized void hold() {
    target = "";
  }

  /** Forwards all connections to an address from now on. */
  public synchronized void forwardTo(String address) {
    target = address;
    notifyAll();
  }

  /** Passes on {@code chunks} more chunks of replies. Breaks all connections in place of the next one. */
  public synchronized void breakAfter(int chunks) {
    chunksLeft = chunks;
  }

  /** Cancels a break that has not happened. Returns whether it has happened. */
  public synchronized boolean hasBroken() {
    boolean hasBroken = chunksLeft == NO_BREAK;
    chunksLeft = NO_BREAK;
    return hasBroken;
  }

  @Override
  public void close() {
    closeQuietly(listener);
    breakAll();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      inBackground(() -> forward(client));
    }
  }

  private void forward(Socket client) throws IOException, InterruptedException {
    String address = awaitTarget();
    int colon = address.lastIndexOf(':');
    Socket server = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    synchronized (this) {
      sockets.addAll(List.of(client, server));
    }
    inBackground(() -> pump(client, server, false));
    pump(server, client, true);
  }

  private synchronized String awaitTarget() throws InterruptedException {
    while (target.isEmpty()) {
      wait();
    }
    return target;
  }

  private void pump(Socket source, Socket target, boolean isReply) throws IOException {
    byte[] buffer = new byte[65_536];
    try (source;
        target) {
      InputStream input = source.getInputStream();
      for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
        if (isReply && isToBreak()) {
          breakAll();
          return;
        }
        target.getOutputStream().write(buffer, 0, length);
      }
    }
  }

  private synchronized boolean isToBreak() {
    if (chunksLeft == NO_BREAK) {
      return false;
    }
    chunksLeft--;
    return chunksLeft == NO_BREAK;
  }

  private synchronized void breakAll() {
    sockets.forEach(BreakingProxy::closeQuietly);
    sockets.clear();
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  /** Runs work until it ends. A broken connection is the purpose of this proxy, and no error. */
  private static void inBackground(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException | InterruptedException end) {
                return;
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception alreadyClosed) {
      return;
    }
  }
}
