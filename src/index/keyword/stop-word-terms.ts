/**
 * Stop words have terms of their own, which only a query of stop words or of names searches for. A
 * stop word with a capital at the start of a sentence may be a name: "Will lives in Cork".
 */
export const stopWordTerms = {
  atSentenceStart: (term: string) => `^${term}`,
  ordinary: (term: string) => `~${term}`,
} as const;
