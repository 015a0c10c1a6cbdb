package vademecum.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the program of a README printed, and what the README shows. Dates are {@code DATE}.
 *
 * @param errors what the program wrote to standard error, if it failed
 */
public record ReadmeProgram(String printed, String shown, String errors) {
  private static final Pattern PROGRAM = Pattern.compile("```java\n((?:(?!```).)*)```\n\n```\n(.*?)```", Pattern.DOTALL);

  /**
   * Runs a program of a README that is followed by its output, with the class path of the tests.
   *
   * @param readme the README
   * @param address the server that replaces {@code 127.0.0.1:50051} in the program
   * @param index which of these programs, from 0
   */
  public static ReadmeProgram run(Path readme, String address, int index) throws IOException, InterruptedException {
    Matcher programs = PROGRAM.matcher(Files.readString(readme));
    for (int passed = 0; passed <= index; passed++) {
      if (!programs.find()) {
        throw new IllegalStateException(readme + " has no program " + index + " with its output");
      }
    }
    Path source = Files.createTempFile("Program", ".java");
    Path errors = Files.createTempFile("errors", ".txt");
    try {
      Files.writeString(source, programs.group(1).replace("127.0.0.1:50051", address));
      String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      Path java = Path.of(System.getProperty("java.home"), "bin", "java");
      Process process =
          new ProcessBuilder(List.of(java.toString(), "-cp", classPath, source.toString()))
              .redirectError(errors.toFile())
              .start();
      String printed = new String(process.getInputStream().readAllBytes());
      boolean isFailed = process.waitFor() != 0;
      return new ReadmeProgram(withoutDates(printed), withoutDates(programs.group(2)), isFailed ? Files.readString(errors) : "");
    } finally {
      Files.delete(source);
      Files.delete(errors);
    }
  }

  private static String withoutDates(String text) {
    return text.replaceAll("\\d{4}-\\d{2}-\\d{2}", "DATE");
  }
}
