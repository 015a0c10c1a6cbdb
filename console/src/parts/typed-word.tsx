import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { hiddenNames } from "../hidden.js";
import { Text } from "../text.js";

/** The longest word that a person is asked to type. */
const lengthMax = 40;

/** Returns `name` if a person can type it, else `instead`. */
export function typeableOr(name: string, instead: string): string {
  const isTypeable =
    name.length <= lengthMax && name.trim() === name && hiddenNames(name).length === 0;
  return isTypeable && name !== "" && !name.includes("\n") ? name : instead;
}

interface TypedWord {
  /** Whether the person has typed the word. */
  readonly isTyped: boolean;
  readonly field: JSX.Element;
}

/** Asks a person to type a word before something wide is done that a slip must not do. */
export function useTypedWord(word: string): TypedWord {
  const typed = useSignal("");
  return {
    isTyped: typed.value === word,
    field: (
      <label class="field typed-word">
        <span>
          To go on, type{" "}
          <b>
            <Text value={word} />
          </b>
        </span>
        <input
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
      </label>
    ),
  };
}
