package vademecum.langchain4j;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import vademecum.contract.ReadmeProgram;
import vademecum.contract.TestServer;

class ReadmeTest {
  @Test
  void theProgramOfTheReadmePrintsWhatTheReadmeShows() throws Exception {
    try (TestServer server = new TestServer()) {
      server.start();
      ReadmeProgram run = ReadmeProgram.run(Path.of("README.md"), server.address(), 0);
      assertEquals("", run.errors());
      assertEquals(run.shown(), run.printed());
    }
  }
}
