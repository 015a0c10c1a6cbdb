import { once } from "node:events";
import { type IncomingMessage, request as requestHttp1 } from "node:http";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { type DescMethod, toBinary, toJson } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { plainRequest } from "../../../bench/worst/plain-request.js";
import { allMethods } from "../../e2e/isolation/services.js";
import type { UseCases } from "../domain-double.js";
import { grpcFrame } from "../raw-http2.js";
import { startTestRpcServer, type TestRpcServer } from "../test-rpc-server.js";

/** A service whose use cases never answer, neither as promises nor as iterables. */
const silent: object = new Proxy(
  {},
  {
    get: () => () => {
      const next = () => new Promise<never>(() => undefined);
      return Object.assign(next(), { [Symbol.asyncIterator]: () => ({ next }) });
    },
  },
);
const silentUseCases: UseCases = {
  ...{ memories: silent, memoryEvents: silent, proposals: silent, tools: silent, server: silent },
  ...{ reindexer: silent, backups: silent, transfers: silent },
};

const streams = (await allMethods()).filter(({ methodKind }) => methodKind !== "unary");

interface Form {
  readonly name: string;
  readonly contentType: string;
  readonly isJson?: boolean;
  readonly port: "grpc" | "http";
  readonly http: 1 | 2;
}

const forms: readonly Form[] = [
  { name: "native gRPC", contentType: "application/grpc", port: "grpc", http: 2 },
  { name: "gRPC on the HTTP port", contentType: "application/grpc", port: "http", http: 2 },
  ...([1, 2] as const).flatMap((http): Form[] => [
    { name: "Connect", contentType: "application/connect+proto", port: "http", http },
    {
      name: "Connect JSON",
      contentType: "application/connect+json",
      isJson: true,
      port: "http",
      http,
    },
    { name: "gRPC-Web", contentType: "application/grpc-web+proto", port: "http", http },
    { name: "gRPC-Web text", contentType: "application/grpc-web-text", port: "http", http },
  ]),
];

function bodyOf(method: DescMethod, { isJson, contentType }: Form): Buffer {
  const request = plainRequest(method, {});
  const bytes =
    isJson === true
      ? Buffer.from(JSON.stringify(toJson(method.input, request)))
      : toBinary(method.input, request);
  const frame = grpcFrame(bytes);
  return contentType.endsWith("text") ? Buffer.from(frame.toString("base64")) : frame;
}

/** Sends a request, and returns the HTTP status and the content type once its headers arrive. */
async function headersOf(
  server: TestRpcServer,
  method: DescMethod,
  form: Form,
): Promise<readonly [status: unknown, contentType: unknown]> {
  const address = form.port === "grpc" ? server.grpcAddress : server.httpAddress;
  const { hostname, port } = new URL(`http://${address}`);
  const path = `/${method.parent.typeName}/${method.name}`;
  // A client of a stream of requests may wait for the headers before it sends the first.
  const body = method.methodKind === "bidi_streaming" ? undefined : bodyOf(method, form);
  if (form.http === 1) {
    const headers = { "content-type": form.contentType };
    const request = requestHttp1({ hostname, port, path, method: "POST", headers });
    request.on("error", () => undefined);
    request.end(body);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    request.destroy();
    return [response.statusCode, response.headers["content-type"]];
  }
  const session = connect(`http://${address}`);
  const stream = session.request({
    ...{ ":method": "POST", ":path": path, te: "trailers", "content-type": form.contentType },
  });
  stream.on("error", () => undefined);
  if (body !== undefined) stream.end(body);
  const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
  session.destroy();
  return [headers[":status"], headers["content-type"]];
}

it.each(forms)(
  "each stream sends its headers before its first message: $name, HTTP/$http",
  async (form) => {
    const server = await startTestRpcServer(silent, undefined, silentUseCases);
    const possible = streams.filter(
      ({ methodKind }) => form.http === 2 || methodKind !== "bidi_streaming",
    );
    const sent = await Promise.all(
      possible.map(async (method) => [method.name, ...(await headersOf(server, method, form))]),
    );
    const type: unknown = expect.stringContaining(form.contentType.replace("+proto", ""));
    expect(sent).toEqual(possible.map(({ name }) => [name, 200, type]));
  },
);
