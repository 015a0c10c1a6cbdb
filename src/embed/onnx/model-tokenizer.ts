import { Tokenizer } from "@huggingface/tokenizers";

/**
 * Number of characters to read for each allowed token. The rest of a longer text is not tokenized,
 * because that would only cost time. In no language does an average token have nearly as many
 * characters: an English word piece has four or five.
 */
const charactersPerToken = 16;

/**
 * Divides a text into the ids of a model's tokens, with the special tokens around them. Returns
 * `undefined` for a text without a token that the model knows.
 */
export type ModelTokenizer = (text: string) => readonly number[] | undefined;

/**
 * Creates the tokenizer that `tokenizer.json` describes.
 *
 * @param definition content of `tokenizer.json`
 * @param settings content of `tokenizer_config.json`; empty if there is no such file
 * @param maxTokens maximum number of tokens of a text, including special tokens; the rest is cut
 *   off
 */
export function createModelTokenizer(
  definition: object,
  settings: object,
  maxTokens: number,
): ModelTokenizer {
  const tokenizer = new Tokenizer(definition, settings);
  const added = tokenizer.get_added_tokens_decoder();
  const isSpecial = (id: number) => added.get(id)?.special === true;
  const bare = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const { before, after } = specialTokensAround(
    tokenizer.encode("a", { add_special_tokens: true }).ids,
    bare("a"),
  );
  const maxBare = maxTokens - before.length - after.length;
  const maxCharacters = maxTokens * charactersPerToken;
  return (text) => {
    const ids = bare(text.slice(0, maxCharacters).toWellFormed()).slice(0, maxBare);
    // The token for unknown text is a special token too.
    return ids.every(isSpecial) ? undefined : [...before, ...ids, ...after];
  };
}

/** Returns the special tokens before and after the tokens of a text. */
function specialTokensAround(
  ids: readonly number[],
  bare: readonly number[],
): { before: readonly number[]; after: readonly number[] } {
  const start = ids.findIndex((_, offset) => bare.every((id, i) => ids[offset + i] === id));
  return { before: ids.slice(0, start), after: ids.slice(start + bare.length) };
}
