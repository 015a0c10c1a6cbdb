import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject, objectsOf, textOf } from "./export-values.js";

/** The words of a message, or the reason why it has none. */
export type MessageWords = { readonly text: string } | { readonly reason: string };

/**
 * Extracts the words of a Letta message.
 *
 * The user's words can be wrapped in JSON. Events such as `heartbeat` have the role of the user
 * too, and are skipped. Agents of earlier kinds speak through calls of `send_message`. The content
 * beside such a call is reasoning, which is not imported.
 */
export function messageWords(message: JsonObject, agentType: string | undefined): MessageWords {
  const role = roleOf(message);
  if (role === "user") return userText(contentText(message));
  if (role === "assistant") return assistantText(message, agentType);
  return { reason: silentRoles[role] ?? `a message of the unknown role ${JSON.stringify(role)}` };
}

/** Why messages of these roles are not imported. */
const silentRoles: Readonly<Record<string, string>> = {
  system: "a system message: instructions, not memory",
  developer: "a system message: instructions, not memory",
  tool: "a tool message",
  function: "a tool message",
  approval: "an approval, not words of the user",
};

/** Returns the role of a message in lower case. */
export function roleOf(message: JsonObject): string {
  return textOf(message, "role")?.trim().toLowerCase() ?? "";
}

function userText(text: string): MessageWords {
  if (text === "") return { reason: "a message without text" };
  const wrapped = parsedObject(text);
  const type = wrapped === undefined ? undefined : textOf(wrapped, "type");
  if (wrapped === undefined || type === undefined) return { text };
  const words = textOf(wrapped, "message");
  return type === "user_message" && words !== undefined
    ? { text: words }
    : { reason: "a Letta event, not words of the user" };
}

function assistantText(message: JsonObject, agentType: string | undefined): MessageWords {
  const calls = objectsOf(message, "tool_calls")
    .map((call) => call["function"])
    .filter(isObject);
  const sent = calls
    .filter((call) => call["name"] === "send_message")
    .flatMap((call) => sentText(textOf(call, "arguments")));
  if (sent.length > 0) return { text: sent.join("\n") };
  const text = contentText(message);
  if (calls.length > 0 && (agentType !== "letta_v1_agent" || text === ""))
    return { reason: "a tool call" };
  return text === "" ? { reason: "a message without text" } : { text };
}

function sentText(callArguments: string | undefined): string[] {
  const text = textOf(parsedObject(callArguments ?? "") ?? {}, "message");
  return text === undefined ? [] : [text];
}

/** Joins the text parts of a message. Other parts, such as images and reasoning, are dropped. */
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
