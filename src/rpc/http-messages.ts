import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** A request over HTTP/1.1 or HTTP/2. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;

/** Its response. */
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** Path of a request, without its query. */
export function pathOf(request: HttpRequest): string {
  return request.url?.split("?", 1)[0] ?? "/";
}

/** Answers with a JSON object. */
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

/** Answers with an error in the form of the Connect protocol, whose codes are the lower-case names of gRPC's. */
export function sendJsonError(
  response: HttpResponse,
  status: number,
  code: string,
  message: string,
  headers: OutgoingHttpHeaders = {},
): void {
  sendJson(response, status, { code, message }, headers);
}

/** Answers a gRPC or gRPC-Web call with an error alone. */
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
  // Without `writeHead`, so that the end comes with the headers: clients take a status in headers only where nothing follows.
  response.end();
}
