/**
 * The terms of stop words. Only a query of stop words or of names searches for these terms. A stop
 * word with a capital at the start of a sentence may be a name: "Will lives in Cork".
 */
export const stopWordTerms = {
  atSentenceStart: remember((term) => `^${term}`),
  ordinary: remember((term) => `~${term}`),
} as const;

/**
 * Remembers results, so that the same string stands for the same term each time. Requires: the
 * terms are of stop words, so there are few.
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
