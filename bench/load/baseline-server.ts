/**
 * The baselines, in a program of their own: grpc-js handlers that send the same reply to each call.
 * The program takes a list of BaselineReply from its parent and answers with its port.
 */
import { type DescMessage, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
} from "@grpc/grpc-js";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { asIs } from "./as-is.js";
import type { BaselineReply } from "./call-stream.js";
import { serveParent } from "./child-program.js";

serveParent(async (replies: readonly BaselineReply[]): Promise<number> => {
  const server = new Server();
  for (const reply of replies) {
    const { path, isStream } = reply;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const { messages, decode, encode } = codecOf(reply);
    const definition: ServiceDefinition = {
      [name]: {
        path,
        requestStream: false,
        responseStream: isStream,
        requestSerialize: asIs,
        requestDeserialize: decode,
        responseSerialize: encode,
        responseDeserialize: asIs,
      },
    };
    server.addService(definition, { [name]: isStream ? sendAll(messages) : sendFirst(messages) });
  }
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
});

/** The reply messages of a handler, and how it decodes and encodes. */
interface Codec {
  readonly messages: readonly unknown[];
  readonly decode: (request: Buffer) => unknown;
  readonly encode: (message: unknown) => Buffer;
}

function codecOf({ handler, rpcPath, messages }: BaselineReply): Codec {
  // A handler that decodes nothing has bytes as its messages.
  if (handler === "bare")
    return { messages, decode: asIs, encode: (bytes) => asIs(bytes as Uint8Array) };
  const { input, output } = schemasOf(rpcPath);
  return {
    messages: messages.map((bytes) => fromBinary(output, bytes)),
    decode: (request) => fromBinary(input, request),
    encode: (message) => asIs(toBinary(output, message as Message)),
  };
}

function schemasOf(rpcPath: string): { readonly input: DescMessage; readonly output: DescMessage } {
  for (const { typeName, methods } of [MemoryProvider, Health])
    for (const method of methods) if (rpcPath === `/${typeName}/${method.name}`) return method;
  throw new Error(`no RPC has the path ${rpcPath}`);
}

function sendFirst(messages: readonly unknown[]): handleUnaryCall<unknown, unknown> {
  return (_, reply) => reply(null, messages[0]);
}

function sendAll(messages: readonly unknown[]): handleServerStreamingCall<unknown, unknown> {
  return (call) => {
    for (const message of messages) call.write(message);
    call.end();
  };
}
