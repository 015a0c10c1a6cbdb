import { Tokenizer } from "@huggingface/tokenizers";

/**
 * Characters of a text for each token that counts: what comes behind is not looked at, because dividing a text that long takes time for nothing.
 * No language comes near it: an English word piece has four or five.
 */
const charactersPerToken = 16;

/** Divides a text into a model's tokens: their ids, the model's special tokens around them. `undefined` for a text of which the model knows nothing. */
export type ModelTokenizer = (text: string) => readonly number[] | undefined;

/**
 * A tokenizer as `tokenizer.json` describes it.
 *
 * @param definition what `tokenizer.json` holds
 * @param settings what `tokenizer_config.json` holds; empty if there is none
 * @param maxTokens tokens of a text that count, special ones included; those behind are cut off
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
    // The token for what is unknown is a special one too.
    return ids.every(isSpecial) ? undefined : [...before, ...ids, ...after];
  };
}

/** The special tokens that stand before and after the tokens of a text. */
function specialTokensAround(
  ids: readonly number[],
  bare: readonly number[],
): { before: readonly number[]; after: readonly number[] } {
  const start = ids.findIndex((_, place) => bare.every((id, i) => ids[place + i] === id));
  return { before: ids.slice(0, start), after: ids.slice(start + bare.length) };
}
