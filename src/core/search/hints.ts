import { instantOfMillis } from "../model/instant.js";
import type { NamespaceIndex } from "../ports/search-index.js";
import type { RankInput } from "./matches.js";
import { authorNamed } from "./signals/author.js";
import { datesNamed } from "./signals/date.js";
import type { NamedDate } from "./signals/written-dates.js";

/** What a query says of authors and dates. */
export interface Hints {
  readonly author: string | undefined;
  readonly dates: readonly NamedDate[];
}

/** The hints in a query over an index. */
export function hintsOf(
  index: NamespaceIndex,
  { query: { query }, referenceMs }: RankInput,
): Hints {
  return {
    author: authorNamed(query, index.authors),
    dates: datesNamed(query, instantOfMillis(referenceMs)),
  };
}
