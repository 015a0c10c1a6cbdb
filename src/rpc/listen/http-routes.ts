import { Code, type Interceptor } from "@connectrpc/connect";
import { universalResponseToNodeResponse } from "@connectrpc/connect-node";
import type { Logger } from "pino";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { pathOf as pathOfMethod } from "../access/access.js";
import type { AdapterParts } from "../adapt/adapter-parts.js";
import { type ConnectHandler, createConnectHandlers } from "../adapt/connect-adapter.js";
import type { Implementation } from "../adapt/handler.js";
import {
  type HttpRequest,
  type HttpResponse,
  pathOf,
  sendGrpcError,
  sendJsonError,
} from "../http-messages.js";
import type { Health } from "../standard/health.js";
import type { ServeConsole } from "./console-pages.js";
import { healthPaths, serveHealth } from "./health-paths.js";
import { serveStartPage, startPath } from "./start-page.js";

/** The RPCs and the health check that the HTTP listener serves. */
export interface HttpRouteOptions {
  readonly implementations: readonly Implementation[];
  readonly parts: AdapterParts;
  readonly health: Health;
  readonly log: Pick<Logger, "debug">;
  /** Serves the web console. Absent: there is none. */
  readonly serveConsole?: ServeConsole | undefined;
  /** Interceptors that observe or change the messages of every call. Default: none. */
  readonly interceptors?: readonly Interceptor[];
}

/** Path of the streaming method Search. Recall answers the same search with one message. */
const searchPath = `/${MemoryProvider.typeName}/${MemoryProvider.method.search.name}`;

/** The messages for requests that have the path of an RPC but are not calls, by HTTP status. */
const refusals: ReadonlyMap<number, string> = new Map([
  [400, "the request has no valid Host header; send one that names a host"],
  [405, "RPCs accept only POST"],
  [
    415,
    "the content-type must be application/json or application/proto (unary calls), " +
      "application/connect+json or application/connect+proto (streams), " +
      "application/grpc-web or application/grpc-web-text, or application/grpc over HTTP/2",
  ],
  [505, "a bidirectional stream needs HTTP/2"],
]);

/**
 * Creates the handler of all requests on the HTTP listener. It serves the RPCs, the health checks,
 * the web console and a page for browsers. For every other path, it answers with an error that
 * lists the services.
 * The handler never throws.
 */
export function createHttpRoutes(
  options: HttpRouteOptions,
): (request: HttpRequest, response: HttpResponse) => void {
  const { implementations, parts, health, log, interceptors, serveConsole } = options;
  const rpcs = createConnectHandlers(implementations, parts, interceptors);
  const unary = unaryPaths(implementations);
  return (request, response) => {
    const path = pathOf(request);
    const rpc = rpcs.get(path);
    if (rpc !== undefined) {
      serveRpc(rpc, { path, isUnary: unary.has(path) }, request, response).catch((err: unknown) =>
        log.debug({ err, method: path }, "the response could not be sent"),
      );
    } else if (serveConsole?.(path, request, response)) {
      return;
    } else if (path === startPath && isForBrowser(request)) {
      serveStartPage(request, response, health);
    } else if (!serveHealth(path, request, response, health)) {
      sendNotFound(request, response, path, implementations);
    }
  };
}

/** Whether a request of the path `/` is no call of a client with a wrong path. */
function isForBrowser({ headers }: HttpRequest): boolean {
  return headers["content-type"] === undefined;
}

/** The method that a request calls. */
interface Method {
  readonly path: string;
  readonly isUnary: boolean;
}

function unaryPaths(implementations: readonly Implementation[]): ReadonlySet<string> {
  const methods = implementations.flatMap((implementation) => implementation.methods);
  const unary = methods.filter(({ kind }) => kind === "unary");
  return new Set(unary.map(({ descriptor }) => pathOfMethod(descriptor)));
}

async function serveRpc(
  rpc: ConnectHandler,
  method: Method,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  const answer = isGrpcOverHttp1(request) ? { status: 415 } : await rpc(request, response);
  const refusal = answer.body === undefined ? refusalOf(answer.status, method, request) : undefined;
  if (refusal === undefined) {
    await universalResponseToNodeResponse(answer, response);
  } else {
    const headers = answer.status === 405 ? { allow: "POST" } : {};
    sendJsonError(response, answer.status, "invalid_argument", refusal, headers);
  }
}

function refusalOf(status: number, method: Method, { headers }: HttpRequest): string | undefined {
  const contentType = headers["content-type"] ?? "";
  const [type = "", parameters] = contentType.split(";", 2);
  const mediaType = type.trim().toLowerCase();
  const isJson = mediaType === "application/json";
  if (status === 415 && isJson && !method.isUnary) return streamText(method.path);
  const fits = method.isUnary ? isJson : mediaType === "application/connect+json";
  if (status !== 415 || !fits || parameters === undefined) return refusals.get(status);
  return (
    `the parameters of the content-type '${contentType.slice(0, 200)}' are not supported; ` +
    `send ${mediaType} without parameters, or with charset=utf-8`
  );
}

function streamText(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const advice = path === searchPath ? "call Recall, which answers with one message, or " : "";
  return (
    `${name} is a stream, which application/json cannot carry; ${advice}` +
    "send application/connect+json, where 5 bytes of flags and length stand before each message"
  );
}

/**
 * Whether a request is gRPC over HTTP/1.1. Connect would answer in trailers, which HTTP/1.1 clients
 * do not read.
 */
function isGrpcOverHttp1({ httpVersionMajor, headers }: HttpRequest): boolean {
  return httpVersionMajor < 2 && /^application\/grpc(?!-web)/i.test(headers["content-type"] ?? "");
}

function sendNotFound(
  request: HttpRequest,
  response: HttpResponse,
  path: string,
  implementations: readonly Implementation[],
): void {
  const message = unknownPathText(path, implementations);
  const contentType = (request.headers["content-type"] ?? "").toLowerCase();
  if (contentType.startsWith("application/grpc")) {
    sendGrpcError(response, contentType, Code.Unimplemented, message);
  } else {
    const code = request.method === "POST" ? "unimplemented" : "not_found";
    sendJsonError(response, 404, code, message);
  }
}

/** Returns a message that lists the paths that exist. */
function unknownPathText(path: string, implementations: readonly Implementation[]): string {
  const shownPath = path.slice(0, 200);
  const [, serviceName = "", methodName = ""] = shownPath.split("/", 3);
  const implementation = implementations.find(({ service }) => service.typeName === serviceName);
  if (implementation !== undefined) {
    const methods = implementation.methods.map(({ descriptor }) => descriptor.name).join(", ");
    return `${serviceName} has no method '${methodName}'; its methods are ${methods}`;
  }
  const services = implementations.map(({ service }) => service.typeName).join(", ");
  return (
    `nothing is served at '${shownPath}'; ` +
    `use POST /<service>/<method> with one of the services ${services}, or GET ${healthPaths.join(", ")}`
  );
}
