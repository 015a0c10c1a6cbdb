package vademecum.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs the built server on free ports. The data survives restarts.
 *
 * <p>The variable {@code VADEMECUM_MAIN} names the program of the server, {@code dist/main.js}, and
 * {@code NODE} that of Node. By default, both are looked for: in a folder above, and on the path.
 */
public final class TestServer implements AutoCloseable {
  private static final Pattern GRPC = Pattern.compile("\"grpc\":\"([^\"]+)\"");

  private final Path folder;
  private Process process;
  private String address = "";

  public TestServer() {
    try {
      folder = Files.createTempDirectory("vademecum-integration-");
    } catch (IOException cause) {
      throw new UncheckedIOException(cause);
    }
  }

  /** Host and port of the gRPC listener. They change with each start. */
  public String address() {
    return address;
  }

  public void start() {
    List<String> command =
        List.of(
            Optional.ofNullable(System.getenv("NODE")).orElse("node"),
            main(),
            "serve",
            "--data",
            folder.resolve("data").toString(),
            "--grpc",
            "127.0.0.1:0",
            "--http",
            "127.0.0.1:0",
            "--log-level",
            "warn");
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
    throw new IllegalStateException("the server ended before it was ready; is it built?");
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

  private static String main() {
    String named = System.getenv("VADEMECUM_MAIN");
    if (named != null) {
      return named;
    }
    for (Path above = Path.of("").toAbsolutePath(); above != null; above = above.getParent()) {
      Path main = above.resolve("dist").resolve("main.js");
      if (Files.exists(main)) {
        return main.toString();
      }
    }
    throw new IllegalStateException("no built server found; set VADEMECUM_MAIN to its dist/main.js");
  }
}
