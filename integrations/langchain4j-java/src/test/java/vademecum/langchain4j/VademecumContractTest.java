package vademecum.langchain4j;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import java.util.ArrayList;
import java.util.List;
import vademecum.client.Client;
import vademecum.contract.Contract;
import vademecum.contract.Subject;

class VademecumContractTest extends Contract {
  @Override
  protected Subject open(Client client, String userId) {
    VademecumChatMemoryStore store = new VademecumChatMemoryStore(client, userId, "guide");
    return new Subject() {
      @Override
      public void write(String text) {
        window(100).add(UserMessage.from(text));
      }

      @Override
      public List<String> read() {
        return textsOf(store.getMessages("monday"));
      }

      @Override
      public void remove(String text) {
        List<ChatMessage> messages = new ArrayList<>(store.getMessages("monday"));
        messages.removeIf(it -> ((UserMessage) it).singleText().equals(text));
        store.updateMessages("monday", messages);
      }

      @Override
      public List<String> readSome(int limit) {
        return textsOf(window(limit).messages());
      }

      private MessageWindowChatMemory window(int limit) {
        return MessageWindowChatMemory.builder().id("monday").maxMessages(limit).chatMemoryStore(store).build();
      }
    };
  }

  private static List<String> textsOf(List<ChatMessage> messages) {
    return messages.stream().map(message -> ((UserMessage) message).singleText()).toList();
  }
}
