import type { Interceptor } from "@connectrpc/connect";
import { universalResponseToNodeResponse } from "@connectrpc/connect-node";
import type { Logger } from "pino";
import type { AdapterParts } from "../adapt/adapter-parts.js";
import { type ConnectHandler, createConnectHandlers } from "../adapt/connect-adapter.js";
import type { Implementation } from "../adapt/handler.js";
import {
  type HttpRequest,
  type HttpResponse,
  pathOf,
  sendGrpcError,
  sendJson,
  sendJsonError,
} from "../http-messages.js";
import type { Health } from "../standard/health.js";

export interface HttpRouteOptions {
  readonly implementations: readonly Implementation[];
  readonly parts: AdapterParts;
  readonly health: Health;
  readonly log: Pick<Logger, "debug">;
  /** See and change what every call sends and gets. */
  readonly interceptors?: readonly Interceptor[];
}

/** Path of the health check for load balancers and containers: 200 while the server takes calls, else 503. */
const healthPath = "/healthz";

/** Why a request on the path of an RPC is no call, by the HTTP status that says so. */
const notACall: ReadonlyMap<number, string> = new Map([
  [400, "the request needs a Host header that names a host"],
  [405, "RPCs take POST only"],
  [
    415,
    "the content-type must be application/json or application/proto (unary calls), application/connect+json or application/connect+proto (streams), application/grpc-web, or application/grpc over HTTP/2",
  ],
  [505, "a call that streams both ways needs HTTP/2"],
]);

/** Answers every request of the HTTP listener: RPCs on their paths, `/healthz`, and all others with an error that says what exists. Never throws. */
export function createHttpRoutes(
  options: HttpRouteOptions,
): (request: HttpRequest, response: HttpResponse) => void {
  const { implementations, parts, health, log, interceptors } = options;
  const rpcs = createConnectHandlers(implementations, parts, interceptors);
  return (request, response) => {
    const path = pathOf(request);
    const rpc = rpcs.get(path);
    if (rpc !== undefined) {
      serveRpc(rpc, request, response).catch((err: unknown) =>
        log.debug({ err, method: path }, "the answer could not be sent"),
      );
    } else if (path === healthPath) {
      serveHealth(request, response, health.serving);
    } else {
      serveNothing(request, response, path, implementations);
    }
  };
}

async function serveRpc(
  rpc: ConnectHandler,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  const answer = isGrpcOverHttp1(request) ? { status: 415 } : await rpc(request, response);
  const why = answer.body === undefined ? notACall.get(answer.status) : undefined;
  if (why === undefined) await universalResponseToNodeResponse(answer, response);
  else
    sendJsonError(
      response,
      answer.status,
      "invalid_argument",
      why,
      answer.status === 405 ? { allow: "POST" } : {},
    );
}

/** Connect would answer, in trailers that clients of HTTP/1.1 do not look at. */
function isGrpcOverHttp1({ httpVersionMajor, headers }: HttpRequest): boolean {
  return httpVersionMajor < 2 && /^application\/grpc(?!-web)/.test(headers["content-type"] ?? "");
}

function serveHealth(request: HttpRequest, response: HttpResponse, serving: boolean): void {
  if (request.method === "GET" || request.method === "HEAD") {
    sendJson(response, serving ? 200 : 503, { status: serving ? "SERVING" : "NOT_SERVING" });
  } else {
    sendJsonError(response, 405, "invalid_argument", `${healthPath} takes GET only`, {
      allow: "GET, HEAD",
    });
  }
}

function serveNothing(
  request: HttpRequest,
  response: HttpResponse,
  path: string,
  implementations: readonly Implementation[],
): void {
  const message = whatExists(path, implementations);
  const contentType = request.headers["content-type"] ?? "";
  if (contentType.startsWith("application/grpc")) sendGrpcError(response, contentType, 12, message);
  else
    sendJsonError(
      response,
      404,
      request.method === "POST" ? "unimplemented" : "not_found",
      message,
    );
}

function whatExists(path: string, implementations: readonly Implementation[]): string {
  const asked = path.slice(0, 200);
  const [, serviceName = "", methodName = ""] = asked.split("/", 3);
  const implementation = implementations.find(({ service }) => service.typeName === serviceName);
  if (implementation !== undefined) {
    const methods = implementation.methods.map(({ descriptor }) => descriptor.name).join(", ");
    return `${serviceName} has no method '${methodName}'; it has ${methods}`;
  }
  const services = implementations.map(({ service }) => service.typeName).join(", ");
  return `there is nothing at '${asked}'; there are POST /<service>/<method> with the services ${services}, and GET ${healthPath}`;
}
