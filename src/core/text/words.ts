/** A letter or digit and what follows it of letters, digits and combining marks (but for the enclosing ones, of which emoji are made). */
const wordRun = /[\p{L}\p{N}][\p{L}\p{Mn}\p{Mc}\p{N}]*/gu;
/** A word run, the two letters of a flag, or an emoji. What is below U+2300 (©, ™, ‼, ↔) is emoji only on demand: such signs are no words. */
const wordOrEmojiRun = new RegExp(
  String.raw`${wordRun.source}|\p{RI}{2}|(?![\0-\u22ff])\p{ExtPict}`,
  "gu",
);
const onlyAscii = /^\p{ASCII}*$/u;
/** Soft hyphens, joiners, variation selectors: characters that change how a word looks and not what it is. */
const ignorable = /\p{Default_Ignorable_Code_Point}+/gu;
/** More marks than any script puts on a letter (UAX #15, section 13, has 30 as the most). Normalization sorts a run of them in quadratic time: those beyond do not count. */
const excessMarks = /([\p{Mn}\p{Mc}]{30})[\p{Mn}\p{Mc}]+/gu;

const cjk = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー`;
const chinese = /\p{sc=Han}/u;
const dictionary = String.raw`\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const cjkStart = new RegExp(`^[${cjk}]`, "u");
const dictionaryStart = new RegExp(`^[${dictionary}]`, "u");
const unspaced = new RegExp(`[${cjk}${dictionary}]`, "u");
const sameKind = new RegExp(`[${cjk}]+|[${dictionary}]+|[^${cjk}${dictionary}]+`, "gu");

/** English words that say little of what a text is about, with question words and auxiliaries. The single letters are what an apostrophe leaves: `it's`, `don't`, `I'd`. */
const stopWords: ReadonlySet<string> = new Set(
  [
    "a an the this that these there such same own",
    "and but or if as so than then",
    "about again at by down for from in into of off on out over to under up with",
    "i me my you your he him his she her it its we our they them their",
    "what which who whom when where why how",
    "am is are was were be been being do does did doing done have has had having",
    "can could may might must shall should will would",
    "no not only very too just also now any some all each few more most other",
    "s t d ll m re ve o don",
  ].flatMap((line) => line.split(" ")),
);

/**
 * The words of a text in their order, in lower case and with compatibility forms unified (NFKC): runs of letters, digits and marks, and emoji, split at everything else, apostrophes included.
 * Each emoji is a word, without its skin tone and whether it is drawn in colour; one that is joined of several (a family) comes as its parts, a flag of a country whole.
 * Chinese, Japanese and Korean runs come as overlapping pairs of characters (a lone one as itself), Thai, Lao, Khmer and Burmese ones as words of a dictionary, because these scripts put no spaces where words end.
 */
export function words(text: string): string[] {
  return onlyAscii.test(text)
    ? plainWords(text)
    : runsOf(text).flatMap((run) => splitUnspaced(run, pairs));
}

/** The words that a text is found by: its `words`, and each Chinese character by itself too, so that a query of one character finds it. */
export function indexedWords(text: string): string[] {
  return onlyAscii.test(text)
    ? plainWords(text)
    : runsOf(text).flatMap((run) => splitUnspaced(run, pairsAndCharacters));
}

function plainWords(text: string): string[] {
  return text.toLowerCase().match(wordRun) ?? [];
}

function runsOf(text: string): string[] {
  const runs = text.replace(ignorable, "").replace(excessMarks, "$1").match(wordOrEmojiRun) ?? [];
  return runs.map((run) => run.normalize("NFKC").toLowerCase());
}

/** Whether a word (as `words` returns it) is too common in English to tell texts apart. The possessive `'s` is one. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

function splitUnspaced(
  run: string,
  divide: (characters: readonly string[]) => string[],
): string | string[] {
  if (!unspaced.test(run)) return run;
  return (run.match(sameKind) ?? []).flatMap((part) => {
    if (cjkStart.test(part)) return divide(Array.from(part));
    return dictionaryStart.test(part) ? dictionaryWords(part) : part;
  });
}

function pairs(characters: readonly string[]): string[] {
  const found: string[] = [];
  for (const [i, character] of characters.entries()) {
    if (i > 0) found.push(`${characters[i - 1]}${character}`);
  }
  return found.length > 0 ? found : [...characters];
}

/** UTF-16 units that are divided into words of a dictionary at a time: each step takes time in proportion to what it is given. */
const dictionaryWindow = 256;

function pairsAndCharacters(characters: readonly string[]): string[] {
  return characters.length === 1
    ? [...characters]
    : [...pairs(characters), ...characters.filter((character) => chinese.test(character))];
}

function dictionaryWords(run: string): string[] {
  // The script decides on the dictionary; the locale has no say.
  const segmenter = new Intl.Segmenter("en", { granularity: "word" });
  const found: string[] = [];
  for (let start = 0; start < run.length; ) {
    const end = start + dictionaryWindow;
    const segments = Array.from(segmenter.segment(run.slice(start, end)), ({ segment }) => segment);
    // What the window may have cut is read again, with what comes behind it.
    const whole =
      end >= run.length || segments.length <= cutWords ? segments : segments.slice(0, -cutWords);
    found.push(...whole);
    start += whole.join("").length;
  }
  return found;
}

/** Words at the end of a window that could be others if more of the text were seen: the dictionary looks three words ahead. */
const cutWords = 3;
