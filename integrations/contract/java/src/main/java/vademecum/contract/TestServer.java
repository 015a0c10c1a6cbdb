package vademecum.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs a server on free ports. The data survives restarts.
 *
 * <p>The variable {@code NODE} names the program of Node. Default: {@code node} on the path. The
 * program {@code main.js} of the server is the first of these:
 *
 * <ol>
 *   <li>the value of the variable {@code CONTRACT_SERVER}
 *   <li>the program of the npm package {@code vademecum}, in {@code node_modules} of this folder or
 *       one above
 *   <li>the built program of a clone, from a folder inside it
 * </ol>
 */
public final class TestServer implements AutoCloseable {
  private static final Pattern GRPC = Pattern.compile("\"grpc\":\"([^\"]+)\"");

  private final Path folder;
  private final List<String> flags = new ArrayList<>();
  private Process process;
  private String address = "";

  public TestServer() {
    try {
      folder = Files.createTempDirectory("vademecum-integration-");
    } catch (IOException cause) {
      throw new UncheckedIOException(cause);
    }
  }

  /**
   * Creates a key for all users and agents. From its next start on, the server refuses calls
   * without a key.
   *
   * @param role the role of the key, such as {@code writer}
   */
  public String createKey(String role) {
    String credentials = folder.resolve("credentials.json").toString();
    if (flags.isEmpty()) {
      flags.addAll(List.of("--credentials", credentials));
    }
    List<String> command =
        List.of(
            node(), main(), "keys", "create", role, "--credentials", credentials, "--role", role, "--user", "*", "--agent", "*");
    try {
      Process created = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      return created.inputReader().readLine();
    } catch (IOException cause) {
      throw new UncheckedIOException(cause);
    }
  }

  /** Host and port of the gRPC listener. They change with each start. */
  public String address() {
    return address;
  }

  public void start() {
    List<String> command = new ArrayList<>(List.of(node(), main(), "serve", "--data", folder.resolve("data").toString()));
    command.addAll(List.of("--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log-level", "warn"));
    command.addAll(flags);
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader lines = process.inputReader();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher grpc = GRPC.matcher(line);
        if (line.contains("\"event\":\"ready\"") && grpc.find()) {
          address = grpc.group(1);
          return;
        }
      }
    } catch (IOException cause) {
      throw new UncheckedIOException(cause);
    }
    throw new IllegalStateException("the server ended before it was ready");
  }

  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Stops the server and removes its data. */
  @Override
  public void close() {
    kill();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException cause) {
      throw new UncheckedIOException(cause);
    }
  }

  private static String node() {
    return Optional.ofNullable(System.getenv("NODE")).orElse("node");
  }

  private static String main() {
    String named = System.getenv("CONTRACT_SERVER");
    if (named != null) {
      return named;
    }
    for (Path above = Path.of("").toAbsolutePath(); above != null; above = above.getParent()) {
      Path installed = above.resolve("node_modules/vademecum/dist/main.js");
      if (Files.exists(installed)) {
        return installed.toString();
      }
      Path built = above.resolve("dist/main.js");
      if (Files.exists(built) && Files.exists(above.resolve("integrations/contract"))) {
        return built.toString();
      }
    }
    throw new IllegalStateException("no server found: install the npm package vademecum, or set CONTRACT_SERVER to its dist/main.js");
  }
}
