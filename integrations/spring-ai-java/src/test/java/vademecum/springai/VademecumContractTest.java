package vademecum.springai;

import java.util.ArrayList;
import java.util.List;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import vademecum.client.Client;
import vademecum.contract.Contract;
import vademecum.contract.Subject;

class VademecumContractTest extends Contract {
  @Override
  protected Subject open(Client client, String userId) {
    VademecumChatMemoryRepository repository = new VademecumChatMemoryRepository(client, userId, "guide");
    ChatMemory memory = MessageWindowChatMemory.builder().chatMemoryRepository(repository).build();
    return new Subject() {
      @Override
      public void write(String text) {
        memory.add("monday", new UserMessage(text));
      }

      @Override
      public List<String> read() {
        return memory.get("monday").stream().map(Message::getText).toList();
      }

      @Override
      public void remove(String text) {
        List<Message> messages = new ArrayList<>(memory.get("monday"));
        messages.removeIf(it -> it.getText().equals(text));
        repository.saveAll("monday", messages);
      }

      @Override
      public List<String> readSome(int limit) {
        List<Message> all = memory.get("monday");
        ChatMemory window = MessageWindowChatMemory.builder().chatMemoryRepository(repository).maxMessages(limit).build();
        window.add("monday", all.get(all.size() - 1));
        return read();
      }
    };
  }
}
