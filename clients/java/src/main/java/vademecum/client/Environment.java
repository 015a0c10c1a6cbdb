package vademecum.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The environment variables from which a client takes missing options. An empty variable counts as
 * not set.
 */
record Environment(Map<String, String> variables) {
  /**
   * Returns the API key in VADEMECUM_API_KEY, or in the file that VADEMECUM_API_KEY_FILE names.
   * Returns an empty string if neither variable is set.
   *
   * @throws IllegalArgumentException if the file cannot be read
   */
  String key() {
    String key = variables.getOrDefault("VADEMECUM_API_KEY", "");
    Path file = file("VADEMECUM_API_KEY_FILE");
    if (!key.isEmpty() || file == null) {
      return key;
    }
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip();
    } catch (IOException cause) {
      throw new IllegalArgumentException("VADEMECUM_API_KEY_FILE: cannot read " + file, cause);
    }
  }

  /** Returns the path in a variable, or null if the variable is not set. */
  Path file(String name) {
    String path = variables.getOrDefault(name, "");
    return path.isEmpty() ? null : Path.of(path);
  }
}
