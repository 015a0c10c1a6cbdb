import {
  create,
  type DescMessage,
  type DescMethod,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { errorOfStatus } from "./status-error.js";

/**
 * Adapts the native gRPC client of @grpc/grpc-js to Connect's client interface, so that one suite
 * runs over both clients.
 */
export function createGrpcJsTransport(address: string): Transport & { close(): void } {
  const client = new Client(address, credentials.createInsecure());
  return {
    async unary(method, signal, timeoutMs, header, input) {
      const message = await new Promise<MessageShape<typeof method.output>>((resolve, reject) => {
        const options = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
        const call = client.makeUnaryRequest(
          pathOf(method),
          encoderOf(method.input),
          decoderOf(method.output),
          create(method.input, input),
          metadataOf(header),
          options,
          (error, reply) => (reply === undefined ? reject(errorOf(error)) : resolve(reply)),
        );
        signal?.addEventListener("abort", () => call.cancel());
      });
      return {
        stream: false,
        service: method.parent,
        method,
        header: new Headers(),
        trailer: new Headers(),
        message,
      };
    },
    async stream(method, signal, timeoutMs, header, input) {
      const options = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
      const [encode, decode] = [encoderOf(method.input), decoderOf(method.output)];
      const call = client.makeBidiStreamRequest(
        pathOf(method),
        encode,
        decode,
        metadataOf(header),
        options,
      );
      signal?.addEventListener("abort", () => call.cancel());
      void sendAll(method.input, input, call);
      return {
        stream: true,
        service: method.parent,
        method,
        header: new Headers(),
        trailer: new Headers(),
        message: repliesOf<MessageShape<typeof method.output>>(call),
      };
    },
    close: () => client.close(),
  };
}

function metadataOf(header: HeadersInit | undefined): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of new Headers(header)) metadata.set(name, value);
  return metadata;
}

function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

function encoderOf<T extends DescMessage>(schema: T) {
  return (message: MessageShape<T>) => Buffer.from(toBinary(schema, message));
}

function decoderOf<T extends DescMessage>(schema: T) {
  return (bytes: Buffer) => fromBinary(schema, bytes);
}

async function sendAll<T extends DescMessage>(
  schema: T,
  messages: AsyncIterable<MessageInitShape<T>>,
  call: { write(message: MessageShape<T>): boolean; end(): void; destroy(error: Error): void },
): Promise<void> {
  try {
    for await (const message of messages) call.write(create(schema, message));
    call.end();
  } catch (error) {
    call.destroy(error as Error);
  }
}

async function* repliesOf<T>(replies: AsyncIterable<unknown>): AsyncIterable<T> {
  try {
    yield* replies as AsyncIterable<T>;
  } catch (error) {
    throw errorOf(error as ServiceError);
  }
}

function errorOf(error: ServiceError | null): ConnectError {
  if (error?.metadata === undefined) return new ConnectError(String(error), Code.Unknown);
  const [packed] = error.metadata.get("grpc-status-details-bin");
  return errorOfStatus(error.code, error.details, packed instanceof Buffer ? packed : undefined);
}
