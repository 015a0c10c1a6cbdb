package vademecum.langchain4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.ContentMetadata;
import dev.langchain4j.rag.query.Metadata;
import dev.langchain4j.rag.query.Query;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContentRetrieverTest {
  private final String user = TestConnection.newUser();
  private final VademecumContentRetriever retriever = new VademecumContentRetriever(TestConnection.CLIENT, user, "guide");

  private void remember(String conversation, String text) {
    new VademecumChatMemoryStore(TestConnection.CLIENT, user, "guide")
        .updateMessages(conversation, List.of(new UserMessage(text), new AiMessage("Noted.")));
  }

  private static List<String> texts(List<Content> contents) {
    return contents.stream().map(content -> content.textSegment().text()).toList();
  }

  @Test
  void aQueryFindsWhatOtherConversationsHaveSaid() {
    remember("monday", "I am allergic to hazelnuts.");
    remember("tuesday", "Which hazelnuts are in marzipan?");
    Query query = Query.from("hazelnuts", new Metadata(new UserMessage("hazelnuts"), "tuesday", List.of()));
    assertEquals("I am allergic to hazelnuts.", texts(retriever.retrieve(query)).get(0));
    String other = "Which hazelnuts are in marzipan?";
    assertFalse(texts(retriever.retrieve(query)).contains(other));
    assertTrue(texts(retriever.retrieve(Query.from("hazelnuts"))).contains(other));
    assertEquals(1, retriever.withMaxResults(1).retrieve(Query.from("hazelnuts")).size());
  }

  @Test
  void aContentHasItsAuthorTimeAndScore() {
    remember("monday", "I am allergic to hazelnuts.");
    Content content = retriever.retrieve(Query.from("hazelnuts")).get(0);
    assertEquals("user", content.textSegment().metadata().getString("author"));
    assertTrue(content.textSegment().metadata().getString("time").endsWith("Z"));
    assertTrue((double) content.metadata().get(ContentMetadata.SCORE) > 0.1);
  }

  @Test
  void nothingFitsForANewUser() {
    assertEquals(List.of(), retriever.retrieve(Query.from("hazelnuts")));
  }
}
