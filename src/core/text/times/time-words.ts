import { otherLatinWords } from "./other-latin-words.js";
import { otherScriptWords } from "./other-script-words.js";
import { romanceAndGermanicWords } from "./romance-germanic-words.js";
import type { TimeWords } from "./word-lists.js";

/** The words of the languages in Latin script. */
export const latinTimeWords = { ...romanceAndGermanicWords, ...otherLatinWords };

/** The words of every language whose times are read. */
export const timeWordsByLanguage = {
  ...latinTimeWords,
  ...otherScriptWords,
} satisfies Readonly<Record<string, TimeWords>>;

/** A language whose times are read. */
export type TimeLanguage = keyof typeof timeWordsByLanguage;
