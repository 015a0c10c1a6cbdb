import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { ConnectError, type Transport } from "@connectrpc/connect";
import { collect } from "./namespace-client.js";

/** The messages of a call, and its error if it failed. */
export interface Answer {
  readonly messages: readonly Message[];
  readonly error: ConnectError | undefined;
}

/** Streams without an end, of which only the first message is read. */
export const endless: ReadonlySet<string> = new Set([
  "WatchProposals",
  "WatchInbox",
  "WatchMemories",
  "WatchServer",
  "WatchJobs",
]);

/** Calls any method with any number of requests. */
export async function callMethod(
  transport: Transport,
  method: DescMethod,
  requests: readonly MessageInitShape<DescMessage>[],
  header?: HeadersInit,
): Promise<Answer> {
  try {
    if (method.methodKind === "unary") {
      const [request = {}] = requests;
      const { message } = await transport.unary(
        method as DescMethodUnary,
        undefined,
        undefined,
        header,
        request,
      );
      return { messages: [message], error: undefined };
    }
    const { signal, abort } = cancellable();
    const { message } = await transport.stream(
      method as DescMethodStreaming,
      signal,
      undefined,
      header,
      streamOf(method, requests),
    );
    if (!endless.has(method.name)) return { messages: await collect(message), error: undefined };
    const first = (await message[Symbol.asyncIterator]().next()) as { readonly value?: Message };
    abort();
    return { messages: first.value === undefined ? [] : [first.value], error: undefined };
  } catch (error) {
    return { messages: [], error: ConnectError.from(error) };
  }
}

function cancellable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

async function* streamOf(
  method: DescMethod,
  requests: readonly MessageInitShape<DescMessage>[],
): AsyncIterable<Message> {
  for (const request of requests) yield create(method.input, request);
}
