/**
 * The baseline, a program of its own: grpc-js handlers that decode nothing and send the same reply
 * to each call. It takes a list of BareReply from its parent and answers with its port.
 */
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
} from "@grpc/grpc-js";
import { asIs } from "./as-is.js";
import type { BareReply } from "./call-stream.js";
import { serveParent } from "./child-program.js";

serveParent(async (replies: readonly BareReply[]): Promise<number> => {
  const server = new Server();
  for (const { path, isStream, messages } of replies) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const definition: ServiceDefinition = {
      [name]: {
        path,
        requestStream: false,
        responseStream: isStream,
        requestSerialize: asIs,
        requestDeserialize: asIs,
        responseSerialize: asIs,
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

function sendFirst(messages: readonly Uint8Array[]): handleUnaryCall<unknown, Uint8Array> {
  return (_, reply) => reply(null, messages[0]);
}

function sendAll(messages: readonly Uint8Array[]): handleServerStreamingCall<unknown, Uint8Array> {
  return (call) => {
    for (const message of messages) call.write(message);
    call.end();
  };
}
