/**
 * The terms of stop words. Only a query of stop words or of names searches for these terms. A stop
 * word with a capital at the start of a sentence may be a name: "Will lives in Cork".
 */
export const stopWordTerms = {
  atSentenceStart: (term: string) => `^${term}`,
  ordinary: (term: string) => `~${term}`,
} as const;
