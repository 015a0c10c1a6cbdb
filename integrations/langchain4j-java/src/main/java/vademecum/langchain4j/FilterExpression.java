package vademecum.langchain4j;

import dev.langchain4j.store.embedding.filter.Filter;
import dev.langchain4j.store.embedding.filter.comparison.ContainsString;
import dev.langchain4j.store.embedding.filter.comparison.IsEqualTo;
import dev.langchain4j.store.embedding.filter.comparison.IsGreaterThan;
import dev.langchain4j.store.embedding.filter.comparison.IsGreaterThanOrEqualTo;
import dev.langchain4j.store.embedding.filter.comparison.IsIn;
import dev.langchain4j.store.embedding.filter.comparison.IsLessThan;
import dev.langchain4j.store.embedding.filter.comparison.IsLessThanOrEqualTo;
import dev.langchain4j.store.embedding.filter.comparison.IsNotEqualTo;
import dev.langchain4j.store.embedding.filter.comparison.IsNotIn;
import dev.langchain4j.store.embedding.filter.logical.And;
import dev.langchain4j.store.embedding.filter.logical.Not;
import dev.langchain4j.store.embedding.filter.logical.Or;
import java.util.Collection;
import java.util.stream.Collectors;

/** Filters of LangChain4j as expressions of the server (CEL). */
final class FilterExpression {
  private FilterExpression() {}

  /** @throws UnsupportedOperationException if the filter is of an unknown class */
  static String of(Filter filter) {
    if (filter instanceof And and) {
      return "(" + of(and.left()) + ") && (" + of(and.right()) + ")";
    }
    if (filter instanceof Or or) {
      return "(" + of(or.left()) + ") || (" + of(or.right()) + ")";
    }
    if (filter instanceof Not not) {
      return "!(" + of(not.expression()) + ")";
    }
    if (filter instanceof IsEqualTo it) {
      return present(it.key(), "== " + literal(it.comparisonValue()));
    }
    if (filter instanceof IsNotEqualTo it) {
      return "!(" + present(it.key(), "== " + literal(it.comparisonValue())) + ")";
    }
    if (filter instanceof IsGreaterThan it) {
      return present(it.key(), "> " + literal(it.comparisonValue()));
    }
    if (filter instanceof IsGreaterThanOrEqualTo it) {
      return present(it.key(), ">= " + literal(it.comparisonValue()));
    }
    if (filter instanceof IsLessThan it) {
      return present(it.key(), "< " + literal(it.comparisonValue()));
    }
    if (filter instanceof IsLessThanOrEqualTo it) {
      return present(it.key(), "<= " + literal(it.comparisonValue()));
    }
    if (filter instanceof IsIn it) {
      return present(it.key(), "in " + literals(it.comparisonValues()));
    }
    if (filter instanceof IsNotIn it) {
      return "!(" + present(it.key(), "in " + literals(it.comparisonValues())) + ")";
    }
    if (filter instanceof ContainsString it) {
      return isPresent(it.key()) + " && " + value(it.key()) + ".contains(" + quote(it.comparisonValue()) + ")";
    }
    throw new UnsupportedOperationException("filters of " + filter.getClass().getName() + " are not supported");
  }

  /** Returns a text as a literal of CEL. */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars()
        .forEach(
            character -> {
              if (character == '"' || character == '\\') {
                quoted.append('\\').append((char) character);
              } else if (character < ' ') {
                quoted.append(String.format("\\u%04x", character));
              } else {
                quoted.append((char) character);
              }
            });
    return quoted.append('"').toString();
  }

  private static String present(String key, String comparison) {
    return isPresent(key) + " && " + value(key) + " " + comparison;
  }

  private static String isPresent(String key) {
    return quote(key) + " in metadata.values";
  }

  private static String value(String key) {
    return "metadata.values[" + quote(key) + "]";
  }

  private static String literals(Collection<?> values) {
    return values.stream().map(FilterExpression::literal).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String literal(Object value) {
    return value instanceof Number number ? Double.toString(SegmentMetadata.doubleOf(number)) : quote(value.toString());
  }
}
