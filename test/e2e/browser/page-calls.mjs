// The calls that a page makes, with stubs and with plain `fetch`. Their results are JSON.
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";

const transports = {
  "Connect with JSON": (baseUrl) => createConnectTransport({ baseUrl }),
  "Connect in binary": (baseUrl) => createConnectTransport({ baseUrl, useBinaryFormat: true }),
  "gRPC-Web": (baseUrl) => createGrpcWebTransport({ baseUrl }),
};

/**
 * Makes calls of each kind over each protocol, and returns their results. The result of a failed
 * call is its code, with reason and fields if it has them.
 */
export async function callOverEach({ url }) {
  const results = {};
  for (const [protocol, transportTo] of Object.entries(transports))
    results[protocol] = await callOver(protocol, transportTo(url));
  return results;
}

async function callOver(protocol, transport) {
  const memories = createClient(MemoryProvider, transport);
  const proposals = createClient(ProposalService, transport);
  const namespace = { userId: "ada", agentId: protocol };
  const { id } = await memories.add({ namespace, content: "Ada is allergic to hazelnuts" });
  const responses = await Array.fromAsync(memories.search({ namespace, query: "hazelnuts" }));
  const unknown = { ...MemoryProvider.method.get, name: "Forget" };
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(), 100);
  return {
    idLength: id.length,
    contents: responses.flatMap(({ hits }) => hits.map(({ memory }) => memory.content)),
    invalid: await failureOf(memories.add({ namespace, content: "" })),
    invalidStream: await failureOf(
      Array.fromAsync(memories.search({ namespace, query: "x", limit: -1 })),
    ),
    unknown: await failureOf(
      transport.unary(unknown, undefined, undefined, undefined, { namespace, id }),
    ),
    deadline: await failureOf(
      Array.fromAsync(proposals.watchProposals({ userId: "ada" }, { timeoutMs: 300 })),
    ),
    cancelled: await failureOf(
      Array.fromAsync(proposals.watchProposals({ userId: "ada" }, { signal: leaving.signal })),
    ),
  };
}

/**
 * Calls Add without any package. Returns the HTTP status and body of each call, or the browser's
 * error.
 */
export function fetchJson({ url, requests }) {
  return Promise.all(requests.map((request) => fetchAdd(url, JSON.stringify(request))));
}

async function fetchAdd(url, body) {
  const headers = { "content-type": "application/json" };
  try {
    const response = await fetch(`${url}/vademecum.v1.MemoryProvider/Add`, {
      method: "POST",
      headers,
      body,
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    return { refusal: error.name };
  }
}

async function failureOf(call) {
  const thrown = await call.then(
    () => undefined,
    (error) => ConnectError.from(error),
  );
  if (thrown === undefined) return undefined;
  const [info] = thrown.findDetails(ErrorInfoSchema);
  const fields = thrown
    .findDetails(BadRequestSchema)
    .flatMap(({ fieldViolations }) => fieldViolations.map(({ field }) => field));
  return { code: Code[thrown.code], ...(info && { reason: info.reason, fields }) };
}
