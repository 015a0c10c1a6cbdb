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

/** All that a caller gets of a call: its messages, and how it failed if it did. */
export interface Answer {
  readonly messages: readonly Message[];
  readonly error: ConnectError | undefined;
}

/** Calls any method with any number of requests. */
export async function callMethod(
  transport: Transport,
  method: DescMethod,
  requests: readonly MessageInitShape<DescMessage>[],
): Promise<Answer> {
  try {
    if (method.methodKind === "unary") {
      const [request = {}] = requests;
      const { message } = await transport.unary(method as DescMethodUnary, undefined, undefined, undefined, request);
      return { messages: [message], error: undefined };
    }
    const { message } = await transport.stream(method as DescMethodStreaming, undefined, undefined, undefined, streamOf(method, requests));
    return { messages: await collect(message), error: undefined };
  } catch (error) {
    return { messages: [], error: ConnectError.from(error) };
  }
}

async function* streamOf(method: DescMethod, requests: readonly MessageInitShape<DescMessage>[]): AsyncIterable<Message> {
  for (const request of requests) yield create(method.input, request);
}
