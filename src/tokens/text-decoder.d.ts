// The types of gpt-tokenizer use the type `TextDecoder`. The types of Node declare only a value of
// this name.
type TextDecoder = import("node:util").TextDecoder;
