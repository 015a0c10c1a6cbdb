import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** A request over HTTP/1.1 or HTTP/2. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;

/** A response over HTTP/1.1 or HTTP/2. */
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** Returns the path of a request, without its query. */
export function pathOf(request: HttpRequest): string {
  return request.url?.split("?", 1)[0] ?? "/";
}

/** Sends a JSON object and ends the response. */
export function sendJson(
  response: HttpResponse,
  status: number,
  body: object,
  headers: OutgoingHttpHeaders = {},
): void {
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`);
  response.writeHead(status, {
    ...headers,
    "content-type": "application/json",
    "content-length": bytes.byteLength,
  });
  response.end(bytes);
}

/**
 * Sends an error in the form of the Connect protocol and ends the response.
 *
 * @param status HTTP status
 * @param code name of the gRPC code in lower case
 */
export function sendJsonError(
  response: HttpResponse,
  status: number,
  code: string,
  message: string,
  headers: OutgoingHttpHeaders = {},
): void {
  sendJson(response, status, { code, message }, headers);
}

/** Ends a gRPC or gRPC-Web call with an error. `code` is the number of the gRPC code. */
export function sendGrpcError(
  response: HttpResponse,
  contentType: string,
  code: number,
  message: string,
): void {
  response.statusCode = 200;
  response.setHeader("content-type", contentType);
  response.setHeader("grpc-status", code);
  response.setHeader("grpc-message", encodeURIComponent(message));
  // Does not call `writeHead`, so that the headers also end the stream. Clients ignore a status in
  // headers that do not end the stream.
  response.end();
}
