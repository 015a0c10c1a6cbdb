import { languageOfWord, languagesOfText } from "../../text/languages.js";
import { stopWordsByLanguage } from "../../text/stop-words.js";
import { words } from "../../text/words.js";

/** A query of fewer words is read as a whole. */
const longQueryWords = 25;
/** A question with fewer words that are no stop words, such as "Can you help me?", asks nothing. */
const questionWordsMin = 3;

const endsAsQuestion = /[?？؟]\s*$/u;
/** Matches the end of a sentence and the space after it. */
const sentenceEnds = /[.!?…؟]["'”’)]*\s+|[。！？\n]\s*/gu;

/**
 * Returns the text that a search compares with memories: the query, and its last sentence twice
 * more if the query is long and ends with a question. Someone who tells a story before asking wants
 * an answer to the question, and the words of the story would outweigh it.
 */
export function withFinalQuestion(query: string): string {
  if (!endsAsQuestion.test(query)) return query;
  const text = query.trimEnd();
  let start = 0;
  for (const { 0: end, index } of text.matchAll(sentenceEnds))
    if (index + end.length < text.length) start = index + end.length;
  if (start === 0 || words(text).length < longQueryWords) return query;
  const question = text.slice(start);
  const languages = languagesOfText(text);
  const content = words(question).filter((word) => {
    const language = languageOfWord(word, languages) ?? "english";
    return !stopWordsByLanguage[language].has(word);
  });
  return content.length < questionWordsMin ? query : `${text} ${question} ${question}`;
}
