package vademecum.contract;

import java.util.List;
import org.opentest4j.TestAbortedException;

/** What an adapter stores for one user, as texts. */
public interface Subject {
  /** Stores a text through the adapter. */
  void write(String text);

  /** Returns all texts of the user, oldest first if the adapter keeps an order. */
  List<String> read();

  /** Deletes a text through the adapter. Leave it out if the framework deletes nothing. */
  default void remove(String text) {
    throw new TestAbortedException("the framework deletes nothing");
  }

  /** Returns at most {@code limit} texts. Leave it out if the framework has no such limit. */
  default List<String> readSome(int limit) {
    throw new TestAbortedException("the framework has no limit");
  }
}
