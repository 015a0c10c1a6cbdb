import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject, objectsOf, textOf } from "./export-values.js";

/** What a message says in the conversation, or why it says nothing. */
export type Spoken = { readonly text: string } | { readonly reason: string };

/**
 * What was said by a message of Letta. The user's words may be wrapped in JSON, beside events such as `heartbeat` that have the same role;
 * agents of the earlier kinds speak by calling `send_message`, and what they write beside a call is their thought.
 */
export function spokenText(message: JsonObject, agentType: string | undefined): Spoken {
  const role = textOf(message, "role");
  if (role === "user") return userText(contentText(message));
  if (role === "assistant") return assistantText(message, agentType);
  return {
    reason:
      role === "system" ? "a system message: instructions, not memory" : "a message of a tool",
  };
}

function userText(text: string): Spoken {
  if (text === "") return { reason: "a message without a text" };
  const wrapped = parsedObject(text);
  const type = wrapped === undefined ? undefined : textOf(wrapped, "type");
  if (wrapped === undefined || type === undefined) return { text };
  const said = textOf(wrapped, "message");
  return type === "user_message" && said !== undefined
    ? { text: said }
    : { reason: "an event of Letta, not words of the user" };
}

function assistantText(message: JsonObject, agentType: string | undefined): Spoken {
  const calls = objectsOf(message, "tool_calls")
    .map((call) => call["function"])
    .filter(isObject);
  const sent = calls
    .filter((call) => call["name"] === "send_message")
    .flatMap((call) => sentText(textOf(call, "arguments")));
  if (sent.length > 0) return { text: sent.join("\n") };
  const text = contentText(message);
  if (calls.length > 0 && (agentType !== "letta_v1_agent" || text === ""))
    return { reason: "a call of a tool" };
  return text === "" ? { reason: "a message without a text" } : { text };
}

function sentText(callArguments: string | undefined): string[] {
  const text = textOf(parsedObject(callArguments ?? "") ?? {}, "message");
  return text === undefined ? [] : [text];
}

/** The text parts of a message; what else it holds (images, reasoning) is no text. */
function contentText(message: JsonObject): string {
  const { content } = message;
  if (typeof content === "string") return content;
  const parts = objectsOf(message, "content").filter((part) => part["type"] === "text");
  return parts.flatMap((part) => textOf(part, "text") ?? []).join("\n");
}

function parsedObject(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
