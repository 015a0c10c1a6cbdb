/** Characters of a word that count: an encoded file must not outweigh the words around it. */
const maxWordLength = 200;

const words = /[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu;
const marks = /\p{Mn}+/gu;
const plain = /[a-z0-9]/g;
const letters = /[\p{L}\p{N}]/gu;
const onlyAscii = /^\p{ASCII}*$/u;
const shortForeignRuns = /\P{ASCII}{1,64}/gu;

/** Divides a text into tokens of a vocabulary: their indices, in order. */
export type WordPieceTokenizer = (text: string) => number[];

/**
 * WordPiece: a word (a run of letters and digits, or a single other character, in lower case and without accents) is divided into the longest pieces known, from the left.
 * A word of which a part is not known gives no token at all. Time is linear in the text.
 *
 * @param vocabulary Pieces by token; `##` before a piece marks one that goes on within a word.
 */
export function createWordPieceTokenizer(vocabulary: readonly string[]): WordPieceTokenizer {
  const beginnings = new Map<string, number>();
  const continuations = new Map<string, number>();
  for (const [token, entry] of vocabulary.entries()) {
    if (entry.startsWith("##")) continuations.set(entry.slice(2), token);
    else beginnings.set(entry, token);
  }
  const maxPieceLength = Math.max(...vocabulary.map((entry) => entry.length));

  /** Appends the word's tokens; none if a part of it is unknown. */
  function divide(word: string, tokens: number[]): void {
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
  }

  return (text) => {
    const tokens: number[] = [];
    for (const [word] of withoutAccents(text.toLowerCase()).matchAll(words))
      divide(word.slice(0, maxWordLength), tokens);
    return tokens;
  };
}

/**
 * Which share of a text's letters and digits are those of English, accents aside, 0 to 1; 1 if it has none.
 * The vocabulary has single letters of other scripts too, but no text of the training had them, so their vectors say nothing of what a text means.
 */
export function englishShare(text: string): number {
  if (onlyAscii.test(text)) return 1;
  const folded = withoutAccents(text.toLowerCase());
  const all = folded.match(letters)?.length ?? 0;
  return all === 0 ? 1 : (folded.match(plain)?.length ?? 0) / all;
}

/** Decomposes in short runs, because normalization sorts a run of marks in quadratic time. What is left after the marks are dropped is the same. */
function withoutAccents(text: string): string {
  return text.replace(shortForeignRuns, (run) => run.normalize("NFD").replace(marks, ""));
}
