package vademecum.langchain4j;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.langchain4j.data.document.Metadata;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.UUID;

/**
 * The metadata of a text segment, in the metadata of a memory: {@code values} has all values for
 * filters, with numbers as doubles. {@code exact} has those that are no texts, with their types.
 */
final class SegmentMetadata {
  /** A double gives back every number of so many digits, however large. */
  private static final MathContext DIGITS_OF_DOUBLE = new MathContext(15);

  private SegmentMetadata() {}

  static Struct structOf(Metadata metadata) {
    Struct.Builder values = Struct.newBuilder();
    Struct.Builder exact = Struct.newBuilder();
    metadata
        .toMap()
        .forEach(
            (key, value) -> {
              if (value instanceof Number number) {
                values.putFields(key, Value.newBuilder().setNumberValue(doubleOf(number)).build());
              } else {
                values.putFields(key, textValue(value.toString()));
              }
              if (!(value instanceof String)) {
                exact.putFields(key, textValue(value.getClass().getSimpleName() + " " + value));
              }
            });
    Struct.Builder struct = Struct.newBuilder().putFields("values", structValue(values));
    return exact.getFieldsCount() == 0 ? struct.build() : struct.putFields("exact", structValue(exact)).build();
  }

  static Metadata metadataOf(Struct struct) {
    Metadata metadata = new Metadata();
    fieldsOf(struct, "values").forEach((key, value) -> putText(metadata, key, value));
    fieldsOf(struct, "exact").forEach((key, value) -> putExact(metadata, key, value.getStringValue()));
    return metadata;
  }

  /** Returns a number as a double, with 15 digits if it is a whole number that no double holds. */
  static double doubleOf(Number number) {
    BigDecimal exact = new BigDecimal(number.toString());
    return number instanceof Long ? exact.round(DIGITS_OF_DOUBLE).doubleValue() : exact.doubleValue();
  }

  private static void putText(Metadata metadata, String key, Value value) {
    if (value.hasStringValue()) {
      metadata.put(key, value.getStringValue());
    }
  }

  private static void putExact(Metadata metadata, String key, String typeAndValue) {
    int space = typeAndValue.indexOf(' ');
    String value = typeAndValue.substring(space + 1);
    switch (typeAndValue.substring(0, space)) {
      case "Integer" -> metadata.put(key, Integer.parseInt(value));
      case "Long" -> metadata.put(key, Long.parseLong(value));
      case "Float" -> metadata.put(key, Float.parseFloat(value));
      case "Double" -> metadata.put(key, Double.parseDouble(value));
      case "UUID" -> metadata.put(key, UUID.fromString(value));
      default -> metadata.put(key, value);
    }
  }

  private static Map<String, Value> fieldsOf(Struct struct, String name) {
    return struct.getFieldsOrDefault(name, Value.getDefaultInstance()).getStructValue().getFieldsMap();
  }

  private static Value textValue(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value structValue(Struct.Builder struct) {
    return Value.newBuilder().setStructValue(struct).build();
  }
}
