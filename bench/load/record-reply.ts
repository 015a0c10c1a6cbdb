import { Client, credentials } from "@grpc/grpc-js";
import { asIs } from "./as-is.js";
import type { CallStream } from "./call-stream.js";

/** Makes the first call of a stream, and returns the messages of its reply as bytes. */
export async function recordReply(
  address: string,
  { path, isStream, requests }: CallStream,
): Promise<readonly Uint8Array[]> {
  const client = new Client(address, credentials.createInsecure());
  const [request = new Uint8Array()] = requests;
  try {
    if (!isStream) return [await unaryReply(client, path, request)];
    const messages: Uint8Array[] = [];
    for await (const message of client.makeServerStreamRequest(path, asIs, asIs, request))
      messages.push(message as Uint8Array);
    return messages;
  } finally {
    client.close();
  }
}

function unaryReply(client: Client, path: string, request: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, asIs, asIs, request, (error, reply) =>
      reply === undefined ? reject(error ?? new Error(`${path}: no reply`)) : resolve(reply),
    );
  });
}
