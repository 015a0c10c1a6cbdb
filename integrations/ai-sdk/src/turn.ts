import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/** The turn of a conversation that a call of the model belongs to. */
export interface Turn {
  /** The text of the user's newest message. Empty if the message has only files. */
  readonly text: string;
  /** True if the call is the first of the turn. Calls after it return results of tools. */
  readonly isFirstCall: boolean;
  /** The texts of the conversation, up to the user's newest message. */
  readonly history: readonly (readonly [role: string, text: string])[];
}

/** Returns the turn of a prompt, or `undefined` if the prompt has no message of a user. */
export function turnOf(prompt: LanguageModelV4Prompt): Turn | undefined {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  const message = prompt[last];
  if (message === undefined) return undefined;
  return {
    text: textOf(message),
    isFirstCall: last === prompt.length - 1,
    history: prompt
      .slice(0, last + 1)
      .filter(({ role }) => role !== "system")
      .map((it) => [it.role, textOf(it)]),
  };
}

/** Returns a copy of a prompt in which the user's newest message begins with `notes`. */
export function withNotes(prompt: LanguageModelV4Prompt, notes: string): LanguageModelV4Prompt {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  return prompt.map((message, index) =>
    index === last && message.role === "user"
      ? { ...message, content: [{ type: "text", text: notes }, ...message.content] }
      : message,
  );
}

function textOf({ content }: LanguageModelV4Message): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
