package vademecum.langchain4j;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.Response;
import java.util.List;
import java.util.Random;

/** Embeds each text as a vector of its own, the same in each run. */
final class HashingModel implements EmbeddingModel {
  @Override
  public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
    return Response.from(segments.stream().map(segment -> embeddingOf(segment.text())).toList());
  }

  private static Embedding embeddingOf(String text) {
    Random random = new Random(text.hashCode());
    float[] vector = new float[64];
    for (int index = 0; index < vector.length; index++) {
      vector[index] = (float) random.nextGaussian() + 0.5f;
    }
    Embedding embedding = Embedding.from(vector);
    embedding.normalize();
    return embedding;
  }
}
