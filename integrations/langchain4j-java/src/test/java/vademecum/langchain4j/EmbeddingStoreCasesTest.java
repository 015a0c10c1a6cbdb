package vademecum.langchain4j;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.store.embedding.EmbeddingStore;
import dev.langchain4j.store.embedding.EmbeddingStoreWithFilteringIT;
import dev.langchain4j.store.embedding.EmbeddingStoreWithRemovalIT;
import org.junit.jupiter.api.Nested;

/** The cases that LangChain4j has for every embedding store. */
class EmbeddingStoreCasesTest {
  @Nested
  class Filtering extends EmbeddingStoreWithFilteringIT {
    private final EmbeddingStore<TextSegment> store = newStore();

    @Override
    protected EmbeddingStore<TextSegment> embeddingStore() {
      return store;
    }

    @Override
    protected EmbeddingModel embeddingModel() {
      return new HashingModel();
    }

    @Override
    protected boolean supportsContains() {
      return true;
    }
  }

  @Nested
  class Removal extends EmbeddingStoreWithRemovalIT {
    private final EmbeddingStore<TextSegment> store = newStore();

    @Override
    protected EmbeddingStore<TextSegment> embeddingStore() {
      return store;
    }

    @Override
    protected EmbeddingModel embeddingModel() {
      return new HashingModel();
    }
  }

  private static EmbeddingStore<TextSegment> newStore() {
    return new VademecumEmbeddingStore(TestConnection.CLIENT, TestConnection.newUser(), "segments");
  }
}
