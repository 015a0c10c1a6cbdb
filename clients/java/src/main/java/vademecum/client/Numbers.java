package vademecum.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;

/**
 * Refuses a Struct in which a whole number has probably lost digits: one beyond 2^53 with more
 * digits than a double keeps. A Struct holds doubles, so the number that the caller meant is gone.
 */
final class Numbers {
  /** From here on, a double cannot hold every whole number. */
  private static final double WHOLE_NUMBER_MAX = 0x1p53;

  /** A double gives back every number of so many digits, however large. */
  private static final MathContext DIGITS_OF_DOUBLE = new MathContext(15);

  private Numbers() {}

  /** Throws an IllegalArgumentException with the path of the first number that has lost digits. */
  static void require(Message message) {
    require(message, "");
  }

  private static void require(Message message, String path) {
    boolean isJson = message.getDescriptorForType().getFile().getPackage().equals("google.protobuf");
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      String inner = isJson ? path : joined(path, field.getKey().getName());
      if (field.getKey().getFullName().equals("google.protobuf.Value.number_value")) {
        requireDigits((Double) field.getValue(), inner);
      } else if (field.getKey().getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        requireMessages(field.getKey(), field.getValue(), inner);
      }
    }
  }

  private static void requireMessages(FieldDescriptor field, Object value, String path) {
    if (!field.isRepeated()) {
      require((Message) value, path);
      return;
    }
    List<?> items = (List<?>) value;
    for (int index = 0; index < items.size(); index++) {
      if (items.get(index) instanceof MapEntry<?, ?> entry) {
        if (entry.getValue() instanceof Message inner) {
          require(inner, joined(path, String.valueOf(entry.getKey())));
        }
      } else {
        require((Message) items.get(index), path + "[" + index + "]");
      }
    }
  }

  private static void requireDigits(double number, String path) {
    boolean isWhole = !Double.isInfinite(number) && number == Math.rint(number) && Math.abs(number) >= WHOLE_NUMBER_MAX;
    if (isWhole && new BigDecimal(number).round(DIGITS_OF_DOUBLE).doubleValue() != number) {
      throw new IllegalArgumentException(
          path + ": is " + new BigDecimal(number).toPlainString() + ", but JSON numbers are doubles, which hold whole numbers "
              + "exactly only up to 9007199254740991. Give ids and other long numbers as texts.");
    }
  }

  private static String joined(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
