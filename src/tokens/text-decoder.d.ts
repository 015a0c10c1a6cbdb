// A browser's name that the types of gpt-tokenizer use; the types of Node have the value alone.
type TextDecoder = import("node:util").TextDecoder;
