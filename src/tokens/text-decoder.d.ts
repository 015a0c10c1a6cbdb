// A type that the types of gpt-tokenizer use. The types of Node declare only its value.
type TextDecoder = import("node:util").TextDecoder;
