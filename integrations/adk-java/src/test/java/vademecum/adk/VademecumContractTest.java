package vademecum.adk;

import com.google.adk.events.Event;
import com.google.adk.sessions.Session;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import java.util.List;
import java.util.UUID;
import vademecum.client.Client;
import vademecum.contract.Contract;
import vademecum.contract.Subject;
import vademecum.v1.GetAllRequest;
import vademecum.v1.Memory;

class VademecumContractTest extends Contract {
  @Override
  protected Subject open(Client client, String userId) {
    VademecumMemoryService service = new VademecumMemoryService(client).withLimit(2);
    return new Subject() {
      @Override
      public void write(String text) {
        Content content = Content.builder().role("user").parts(Part.fromText(text)).build();
        Event event = Event.builder().id(UUID.randomUUID().toString()).author("user").content(content).build();
        Session session = Session.builder("monday").appName("guide").userId(userId).events(List.of(event)).build();
        service.addSessionToMemory(session).blockingAwait();
      }

      @Override
      public List<String> read() {
        // A memory service has no list of memories.
        List<Memory> newestFirst = client.memories(userId, "guide").getAll(GetAllRequest.newBuilder()).getMemoriesList();
        return newestFirst.stream().map(Memory::getContent).toList();
      }

      @Override
      public List<String> readSome(int limit) {
        return service.searchMemory("guide", userId, "paint").blockingGet().memories().stream()
            .map(entry -> entry.content().text())
            .toList();
      }
    };
  }

  @Override
  protected boolean isOrdered() {
    return false;
  }
}
