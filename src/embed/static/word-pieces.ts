/**
 * The tokenizer ignores the characters of a word beyond this number. Otherwise a very long word,
 * such as an encoded file, would outweigh the words around it.
 */
const maxWordLength = 200;

const words = /[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu;
const asciiWords = /[a-z0-9]+|[^a-z0-9\s]/g;
const marks = /\p{Mn}+/gu;
const plain = /[a-z]/g;
const letters = /\p{L}/gu;
const latinLetters = /\p{sc=Latin}/gu;
const asciiLetter = /[a-z]/i;
const onlyLetters = /^[a-z]+$/;
const digit = /\p{Nd}/u;
/** The model knows nothing of a text with a smaller share of letters in Latin script. */
const latinShareMin = 0.5;
const onlyAscii = /^\p{ASCII}*$/u;
const shortForeignRuns = /\P{ASCII}{1,64}/gu;

/** Maximum length of a text that gives one batch of tokens, in UTF-16 units. */
const shortLength = 1_024;

/** Words in one batch of tokens. They take about a millisecond. */
const wordsPerBatch = 512;

/** Divides a text into tokens. Yields their indices in the vocabulary, in order and in batches. */
export type WordPieceTokenizer = (text: string) => Iterable<readonly number[]>;

/** Appends the tokens of a word; none if a part of it is unknown. */
type WordDivider = (word: string, tokens: number[]) => void;

/**
 * Creates a function that divides a word into the longest known pieces, from the left.
 *
 * @param vocabulary pieces by token; `##` marks a piece that continues a word
 */
export function createWordDivider(vocabulary: readonly string[]): WordDivider {
  const beginnings = new Map<string, number>();
  const continuations = new Map<string, number>();
  for (const [token, entry] of vocabulary.entries()) {
    if (entry.startsWith("##")) continuations.set(entry.slice(2), token);
    else beginnings.set(entry, token);
  }
  const maxPieceLength = Math.max(...vocabulary.map((entry) => entry.length));

  return (text, tokens) => {
    const word = text.slice(0, maxWordLength);
    const tokensBefore = tokens.length;
    let pieces = beginnings;
    for (let start = 0; start < word.length; pieces = continuations) {
      let end = Math.min(word.length, start + maxPieceLength);
      let token = pieces.get(word.slice(start, end));
      while (token === undefined && end > start + 1) token = pieces.get(word.slice(start, --end));
      if (token === undefined) {
        tokens.length = tokensBefore;
        return;
      }
      tokens.push(token);
      start = end;
    }
  };
}

/**
 * Creates a WordPiece tokenizer. A word is a run of letters and digits, or a single other
 * character, in lower case and without accents. A word with an unknown part gives no token at all.
 * Takes time linear in the text.
 */
export function createWordPieceTokenizer(divide: WordDivider): WordPieceTokenizer {
  return function* (text) {
    let tokens: number[] = [];
    if (text.length <= shortLength && onlyAscii.test(text)) {
      for (const word of text.toLowerCase().match(asciiWords) ?? []) divide(word, tokens);
      yield tokens;
      return;
    }
    let wordCount = 0;
    for (const [word] of withoutAccents(text.toLowerCase()).matchAll(words)) {
      divide(word, tokens);
      if (++wordCount % wordsPerBatch > 0) continue;
      yield tokens;
      tokens = [];
    }
    yield tokens;
  };
}

/**
 * Returns the share, 0 to 1, of the letters a to z among all letters of a text. Ignores accents and
 * case.
 *
 * - If most letters are of other scripts than Latin, the share is 0.
 * - A text of digits without letters has the share 0.
 * - A text without letters and digits has the share 1.
 *
 * The vocabulary also has digits, and single letters of other scripts, but their vectors carry no
 * meaning. The rows of digits are similar to each other whatever the number. No training text
 * contained letters of other scripts.
 */
export function englishShare(text: string): number {
  if (onlyAscii.test(text)) return asciiLetter.test(text) || !digit.test(text) ? 1 : 0;
  const folded = withoutAccents(text.toLowerCase());
  const all = folded.match(letters)?.length ?? 0;
  if (all === 0) return digit.test(text) ? 0 : 1;
  const latin = folded.match(latinLetters)?.length ?? 0;
  return latin < latinShareMin * all ? 0 : (folded.match(plain)?.length ?? 0) / all;
}

/**
 * Returns the word without accents if it then has only the letters a to z; `undefined` for any
 * other word. A word with digits is excluded, because the vectors of all numbers are similar.
 */
export function englishWord(word: string): string | undefined {
  const plainWord = onlyAscii.test(word) ? word : withoutAccents(word);
  return onlyLetters.test(plainWord) ? plainWord : undefined;
}

/**
 * Removes accents. Decomposes the text in short runs, because normalization sorts a run of marks in
 * quadratic time. Once the marks are removed, the result is the same as for the text as a whole.
 */
function withoutAccents(text: string): string {
  return text.replace(shortForeignRuns, (run) => run.normalize("NFD").replace(marks, ""));
}
