import { once } from "node:events";
import { createServer as createHttpServer, request as requestOverHttp } from "node:http";
import { connect as connectOverHttp2, createServer as createHttp2Server } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack, durationFromMs } from "@bufbuild/protobuf/wkt";
import {
  ErrorInfoSchema,
  QuotaFailureSchema,
  RetryInfoSchema,
} from "../../gen/ts/google/rpc/error_details_pb.js";
import { StatusSchema } from "../../gen/ts/google/rpc/status_pb.js";

/** The codes of refusals, with their number in gRPC and their name and HTTP status in Connect. */
const codes = {
  FAILED_PRECONDITION: { number: 9, name: "failed_precondition", status: 400 },
  NOT_FOUND: { number: 5, name: "not_found", status: 404 },
  RESOURCE_EXHAUSTED: { number: 8, name: "resource_exhausted", status: 429 },
  UNAVAILABLE: { number: 14, name: "unavailable", status: 503 },
};

const endOfStreamFlag = 2;

/** An empty message of a stream, in gRPC and in Connect: no flag and no bytes. */
const emptyMessage = messageOf("");

/**
 * Starts a stand-in for a server's listener, `grpc` (HTTP/2) or `http` (HTTP/1.1), that refuses
 * calls.
 *
 * The first call gets the first refusal of `refusals`, the second call the second one, and so on.
 * After the end of the list, each call goes to the server at `target`. Without `target`, each call
 * gets the last refusal. A refusal has `code` and `reason`, and may have `retryAfterMs`, `quota`
 * and `movedTo`. With `afterHeaders`, the listener `grpc` sends the headers first, and then the
 * refusal, as a server does for WatchProposals. Connect always refuses a stream in this way. With
 * `afterMessage`, both listeners send an empty message of the stream before the refusal.
 *
 * `counts` returns two numbers. `requests` counts all requests. `early` counts the requests that
 * arrived before the delay of the previous refusal was over.
 */
export async function startRefusingListener(listener, refusals, target) {
  const connections = new Set();
  const counts = { requests: 0, early: 0 };
  let earliestMs = 0;
  const isGrpc = listener === "grpc";
  const server = (isGrpc ? createHttp2Server : createHttpServer)((request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    if (request.method === "OPTIONS") {
      response.writeHead(204, { "access-control-allow-headers": "*, authorization" }).end();
      return;
    }
    if (performance.now() < earliestMs) counts.early += 1;
    const refusal = refusals[counts.requests] ?? (target ? undefined : refusals.at(-1));
    counts.requests += 1;
    if (refusal === undefined) {
      (isGrpc ? forwardOverHttp2 : forwardOverHttp)(target, request, response);
      return;
    }
    request.resume();
    request.once("end", () => {
      earliestMs = performance.now() + (refusal.retryAfterMs ?? 0);
      if (isGrpc) refuseOverGrpc(response, refusal);
      else refuseOverConnect(request.headers["content-type"], response, refusal);
    });
  });
  server.on(isGrpc ? "session" : "connection", (connection) => connections.add(connection));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${server.address().port}`,
    counts: () => counts,
    close() {
      for (const connection of connections) connection.destroy();
      server.close();
    },
  };
}

function refuseOverGrpc(response, refusal) {
  const { number } = codes[refusal.code];
  const status = create(StatusSchema, {
    code: number,
    message: "refused",
    details: detailsOf(refusal).map(({ schema, message }) => anyPack(schema, message)),
  });
  const headers = { "content-type": "application/grpc" };
  const trailers = {
    "grpc-status": String(number),
    "grpc-message": "refused",
    "grpc-status-details-bin": unpadded(toBinary(StatusSchema, status)),
  };
  if (refusal.afterHeaders === true || refusal.afterMessage === true) {
    response.writeHead(200, headers).addTrailers(trailers);
    response.end(refusal.afterMessage === true ? emptyMessage : "");
    return;
  }
  // For a reply without messages, gRPC requires that one frame has all headers and ends the stream.
  response.stream.respond({ ...headers, ...trailers }, { endStream: true });
}

/** Sends a Connect error. In a stream, the error is a message with the end-of-stream flag. */
function refuseOverConnect(contentType, response, refusal) {
  const { name, status } = codes[refusal.code];
  const details = detailsOf(refusal).map(({ schema, message }) => ({
    type: schema.typeName,
    value: unpadded(toBinary(schema, message)),
  }));
  const error = { code: name, message: "refused", details };
  if (!contentType.startsWith("application/connect+")) {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(error));
    return;
  }
  const message = contentType.endsWith("json") ? messageOf("{}") : emptyMessage;
  const end = messageOf(JSON.stringify({ error }), endOfStreamFlag);
  const parts = refusal.afterMessage === true ? [message, end] : [end];
  response.writeHead(200, { "content-type": contentType }).end(Buffer.concat(parts));
}

/** Returns a message of a stream, with its flags and its length. */
function messageOf(text, flags = 0) {
  const body = Buffer.from(text);
  const head = Buffer.from([flags, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

function forwardOverHttp(target, request, response) {
  const { method, headers, url } = request;
  const call = requestOverHttp(`http://${target}${url}`, { method, headers }, (reply) => {
    response.writeHead(reply.statusCode, reply.headers);
    reply.pipe(response);
  });
  request.pipe(call);
}

function forwardOverHttp2(target, request, response) {
  const session = connectOverHttp2(`http://${target}`);
  const call = session.request(request.headers);
  call.on("response", ({ ":status": status, ...headers }) => response.writeHead(status, headers));
  call.on("trailers", (trailers) => response.addTrailers(trailers));
  call.on("close", () => session.close());
  request.pipe(call);
  call.pipe(response);
}

function detailsOf({ reason, retryAfterMs, quota, movedTo }) {
  const metadata = movedTo === undefined ? {} : { address: movedTo };
  const details = [{ schema: ErrorInfoSchema, fields: { reason, domain: "vademecum", metadata } }];
  if (retryAfterMs !== undefined)
    details.push({ schema: RetryInfoSchema, fields: { retryDelay: durationFromMs(retryAfterMs) } });
  if (quota !== undefined)
    details.push({ schema: QuotaFailureSchema, fields: { violations: [{ subject: quota }] } });
  return details.map(({ schema, fields }) => ({ schema, message: create(schema, fields) }));
}

function unpadded(bytes) {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}
