// The part of @huggingface/tokenizers that the embedder uses. `paths` in tsconfig.json puts it in
// place of the package's own types, whose imports an ES module cannot resolve.

/** A tokenizer as a model's `tokenizer.json` describes it. */
export class Tokenizer {
  constructor(definition: object, settings: object);
  encode(
    text: string,
    options: { readonly add_special_tokens: boolean },
  ): { readonly ids: readonly number[] };
  get_added_tokens_decoder(): ReadonlyMap<number, { readonly special: boolean }>;
}
