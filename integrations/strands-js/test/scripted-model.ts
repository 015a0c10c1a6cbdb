import {
  type BaseModelConfig,
  type JSONValue,
  type Message,
  Model,
  type ModelStreamEvent,
} from "@strands-agents/sdk";

/** A reply of the model: a text, or a call of a tool. */
export type Reply = string | { readonly name: string; readonly input: JSONValue };

/** A model that gives fixed replies, and keeps what it was asked. */
export class ScriptedModel extends Model {
  readonly requests: string[] = [];
  readonly #replies: Reply[];

  constructor(...replies: Reply[]) {
    super();
    this.#replies = replies;
  }

  override updateConfig(): void {}

  override getConfig(): BaseModelConfig {
    return { modelId: "scripted" };
  }

  override async *stream(messages: Message[]): AsyncIterable<ModelStreamEvent> {
    this.requests.push(JSON.stringify(messages));
    await Promise.resolve();
    const reply = this.#replies.shift() ?? "Noted.";
    yield { type: "modelMessageStartEvent", role: "assistant" };
    if (typeof reply === "string") {
      yield { type: "modelContentBlockStartEvent" };
      yield { type: "modelContentBlockDeltaEvent", delta: { type: "textDelta", text: reply } };
    } else {
      const toolUseId = `use-${this.requests.length}`;
      const start = { type: "toolUseStart" as const, name: reply.name, toolUseId };
      yield { type: "modelContentBlockStartEvent", start };
      const input = JSON.stringify(reply.input);
      yield { type: "modelContentBlockDeltaEvent", delta: { type: "toolUseInputDelta", input } };
    }
    yield { type: "modelContentBlockStopEvent" };
    const stopReason = typeof reply === "string" ? "endTurn" : "toolUse";
    yield { type: "modelMessageStopEvent", stopReason };
  }
}
