package vademecum.langchain4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.store.embedding.EmbeddingSearchRequest;
import dev.langchain4j.store.embedding.EmbeddingStore;
import dev.langchain4j.store.embedding.EmbeddingStoreWithRemovalIT;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import vademecum.client.Client;
import vademecum.client.VademecumException;
import vademecum.contract.TestServer;

/** The cases that LangChain4j has for every embedding store with removals, and some of our own. */
class EmbeddingStoreRemovalTest extends EmbeddingStoreWithRemovalIT {
  private final EmbeddingStore<TextSegment> store =
      new VademecumEmbeddingStore(TestConnection.CLIENT, TestConnection.newUser(), "segments");

  @Override
  protected EmbeddingStore<TextSegment> embeddingStore() {
    return store;
  }

  @Override
  protected EmbeddingModel embeddingModel() {
    return new HashingModel();
  }

  @Test
  void anIdThatIsAddedAgainReplacesItsSegment() {
    Embedding embedding = embeddingModel().embed("a").content();
    for (String text : List.of("first", "second")) {
      store.addAll(List.of("id \"1\""), List.of(embedding), List.of(TextSegment.from(text)));
    }
    assertEquals(List.of("second"), getAllEmbeddings().stream().map(match -> match.embedded().text()).toList());
    store.remove("id \"1\"");
    assertEquals(List.of(), getAllEmbeddings());
  }

  @Test
  void theRoleWriterIsEnoughToRemoveByIds() {
    try (TestServer guarded = new TestServer()) {
      String key = guarded.createKey("writer");
      guarded.start();
      try (Client writer = Client.builder(guarded.address()).key(key).connect()) {
        var segments = new VademecumEmbeddingStore(writer, "ada", "segments");
        String id = segments.add(embeddingModel().embed("a").content(), TextSegment.from("a"));
        segments.removeAll(List.of(id, "unknown"));
        assertThrows(VademecumException.class, segments::removeAll, "curator");
      }
    }
  }

  @Test
  void manySegmentsAreAddedFoundAndRemovedInOneCall() {
    List<TextSegment> segments = IntStream.range(0, 700).mapToObj(it -> TextSegment.from("segment " + it)).toList();
    List<String> ids = store.addAll(embeddingModel().embedAll(segments).content(), segments);
    EmbeddingSearchRequest request =
        EmbeddingSearchRequest.builder()
            .queryEmbedding(embeddingModel().embed("segment 321").content())
            .maxResults(2)
            .build();
    assertEquals("segment 321", store.search(request).matches().get(0).embedded().text());
    assertEquals(700, getAllEmbeddings().size());
    store.removeAll(ids.subList(1, 700));
    assertEquals(List.of(ids.get(0)), getAllEmbeddings().stream().map(match -> match.embeddingId()).toList());
  }
}
