/**
 * The terms of stop words. They begin with a sign, so that only a query of stop words or of names
 * searches for them. `atSentenceStart`: a stop word with a capital at the start of a sentence may
 * be a name, as in "Will lives in Cork". `ordinary`: any other stop word in its ordinary meaning.
 */
export const stopWordTerms = {
  atSentenceStart: remember((term) => `^${term}`),
  ordinary: remember((term) => `~${term}`),
} as const;

/**
 * Remembers results, so that all uses of a term share one string. The results are never forgotten.
 * Requires: the terms are of stop words, so there are few.
 */
function remember(make: (term: string) => string): (term: string) => string {
  const known = new Map<string, string>();
  return (term) => {
    const found = known.get(term);
    if (found !== undefined) return found;
    const made = make(term);
    known.set(term, made);
    return made;
  };
}
