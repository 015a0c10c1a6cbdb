package vademecum.langchain4j;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.store.embedding.EmbeddingStore;
import dev.langchain4j.store.embedding.EmbeddingStoreWithFilteringIT;

/** The cases that LangChain4j has for every embedding store with filters. */
class EmbeddingStoreFilteringTest extends EmbeddingStoreWithFilteringIT {
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

  @Override
  protected boolean supportsContains() {
    return true;
  }
}
