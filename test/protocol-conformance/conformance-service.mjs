// The service of the Connect conformance suite (third_party/conformance), as an implementation for
// our adapters.
import { setTimeout as delay } from "node:timers/promises";
import { create, createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { anyPack, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/** Reads the suite's descriptors from the output of `buf build`. */
export function readSuite(image) {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
  const message = (name) => registry.getMessage(`connectrpc.conformance.v1.${name}`);
  return { message, service: registry.getService("connectrpc.conformance.v1.ConformanceService") };
}

/**
 * Creates the service. `calls` holds what the interceptors received for each call, and what they
 * must send.
 */
export function createConformanceService({ message, service }, calls) {
  const payloadSchema = message("ConformancePayload");
  const infoSchema = message("ConformancePayload.RequestInfo");
  const detailOf = (info) => anyPack(infoSchema, info);

  const begin = (rpc, definition) => {
    const call = calls.of(rpc.metadata(calls.nameHeader));
    call.headers = definition?.responseHeaders ?? [];
    call.trailers = definition?.responseTrailers ?? [];
    return call;
  };
  const requestInfo = (call, rpc, schema, requests) =>
    create(infoSchema, {
      requestHeaders: call.requestHeaders.map((header) => create(message("Header"), header)),
      ...(rpc.deadlineMs === Infinity
        ? {}
        : { timeoutMs: BigInt(Math.max(0, rpc.deadlineMs - Date.now())) }),
      requests: requests.map((request) => anyPack(schema, request)),
    });
  /** Stores the error in the call, for the interceptors to send, and throws. */
  const fail = (call, { code, message: text = "", details }, moreDetails = []) => {
    call.error = { code, message: text, details: [...details, ...moreDetails] };
    throw new Error(`the suite asks for an error of code ${code}`);
  };
  const answerOne = async (method, rpc, requests) => {
    const definition = requests[0]?.responseDefinition;
    const call = begin(rpc, definition);
    const info = requestInfo(call, rpc, method.input, requests);
    if (definition?.responseDelayMs > 0) await delay(definition.responseDelayMs);
    if (definition?.response.case === "error")
      fail(call, definition.response.value, [detailOf(info)]);
    const data =
      definition?.response.case === "responseData" ? definition.response.value : new Uint8Array();
    return create(method.output, { payload: create(payloadSchema, { data, requestInfo: info }) });
  };
  /** Yields the responses of a definition. The first one describes the requests. */
  async function* answerMany(method, rpc, requests, definition) {
    const call = begin(rpc, definition);
    const info = requestInfo(call, rpc, method.input, requests);
    for (const [index, data] of (definition?.responseData ?? []).entries()) {
      if (definition.responseDelayMs > 0) await delay(definition.responseDelayMs);
      yield create(method.output, {
        payload: create(payloadSchema, { data, ...(index === 0 ? { requestInfo: info } : {}) }),
      });
    }
    if (definition?.error !== undefined)
      fail(call, definition.error, definition.responseData.length === 0 ? [detailOf(info)] : []);
  }
  /** Yields one response to each request as it arrives, and then the remaining responses. */
  async function* answerEach(method, rpc, first, rest) {
    const definition = first.responseDefinition;
    const call = begin(rpc, definition);
    const data = definition?.responseData ?? [];
    let sent = 0;
    const next = async (requests) => {
      if (definition.responseDelayMs > 0) await delay(definition.responseDelayMs);
      const info =
        sent === 0 || requests.length > 0
          ? { requestInfo: requestInfo(call, rpc, method.input, requests) }
          : {};
      if (sent > 0 && info.requestInfo)
        info.requestInfo = create(infoSchema, { requests: info.requestInfo.requests });
      return create(method.output, {
        payload: create(payloadSchema, { data: data[sent++], ...info }),
      });
    };
    for (let request = first; request !== undefined; request = (await rest.next()).value) {
      if (sent >= data.length) break;
      yield await next([request]);
    }
    while (sent < data.length) yield await next([]);
    if (definition?.error !== undefined) {
      const info = requestInfo(call, rpc, method.input, [first]);
      fail(call, definition.error, data.length === 0 ? [detailOf(info)] : []);
    }
  }

  const handlers = {
    Unary: (method) => (request, rpc) => answerOne(method, rpc, [request]),
    IdempotentUnary: (method) => (request, rpc) => answerOne(method, rpc, [request]),
    ServerStream: (method) => (request, rpc) =>
      answerMany(method, rpc, [request], request.responseDefinition),
    // On the wire, a client stream is a bidirectional stream with one response.
    ClientStream: (method) =>
      async function* (requests, rpc) {
        const all = [];
        for await (const request of requests) all.push(request);
        yield await answerOne(method, rpc, all);
      },
    BidiStream: (method) =>
      async function* (requests, rpc) {
        const iterator = requests[Symbol.asyncIterator]();
        const first = (await iterator.next()).value;
        if (first?.fullDuplex) return yield* answerEach(method, rpc, first, iterator);
        const all = first === undefined ? [] : [first];
        for (let next = await iterator.next(); !next.done; next = await iterator.next())
          all.push(next.value);
        yield* answerMany(method, rpc, all, first?.responseDefinition);
      },
  };
  const methods = service.methods
    .filter(({ name }) => name in handlers)
    .map((descriptor) => {
      const kind =
        descriptor.methodKind === "client_streaming" ? "bidi_streaming" : descriptor.methodKind;
      const bound =
        kind === descriptor.methodKind ? descriptor : { ...descriptor, methodKind: kind };
      return {
        kind,
        descriptor: bound,
        handle: handlers[descriptor.name](descriptor),
        openEnded: true,
        isRead: false,
        needsSlot: false,
      };
    });
  return { service, methods };
}
