// The Connect conformance suite expects a server to do what our services never do: to return all
// request headers, and to send any headers, trailers and status codes. These interceptors of
// grpc-js and of Connect do that around our adapters.
import { create, toBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import {
  status as grpcStatus,
  Metadata,
  ResponderBuilder,
  ServerInterceptingCall,
} from "@grpc/grpc-js";
import { StatusSchema } from "#gen/google/rpc/status_pb.js";
import { headersKey } from "../../src/rpc/adapt/connect-adapter.js";

/** The calls in flight by the name of their case, which the suite's client sends as a header. */
export class Calls {
  nameHeader = "x-test-case-name";
  #byName = new Map();

  begin(name, requestHeaders) {
    const call = { requestHeaders, headers: [], trailers: [] };
    this.#byName.set(name, call);
    return call;
  }

  of(name) {
    return this.#byName.get(name) ?? this.begin(name, []);
  }
}

export function grpcInterceptor(calls) {
  return (_method, nextCall) => {
    let call = { headers: [], trailers: [] };
    let headersSent = false;
    let sendOwnHeaders = () => nextCall.sendMetadata(addTo(new Metadata(), call.headers));
    // The headers of our service wait for the first message: until then the handler has not said
    // which headers the suite expects.
    let isHeldBack = false;
    const sendHeaders = () => {
      if (!headersSent) sendOwnHeaders();
      headersSent = true;
    };
    // Also removes the details of errors that the server sends without calling the responder below.
    let isPassedOn = false;
    const sendStatus = nextCall.sendStatus.bind(nextCall);
    nextCall.sendStatus = (status) => {
      if (!isPassedOn) status.metadata?.remove("grpc-status-details-bin");
      sendStatus(status);
    };
    const responder = new ResponderBuilder()
      .withStart((next) =>
        next({
          onReceiveMetadata: (metadata, nextMetadata) => {
            const headers = Object.keys(metadata.getMap()).map((name) => ({
              name,
              value: metadata.get(name).map(headerText),
            }));
            call = calls.begin(metadata.get(calls.nameHeader)[0], headers);
            nextMetadata(metadata);
          },
        }),
      )
      .withSendMetadata((metadata, next) => {
        isHeldBack = true;
        sendOwnHeaders = () => next(addTo(metadata, call.headers));
      })
      .withSendMessage((message, next) => {
        sendHeaders();
        next(message);
      })
      .withSendStatus((status, nextStatus) => {
        const metadata = status.metadata ?? new Metadata();
        isPassedOn = true;
        if (call.headers.length > 0) sendHeaders();
        // The responder sends the status only after the headers, so this sends the status past it.
        const next = isHeldBack && !headersSent ? (sent) => nextCall.sendStatus(sent) : nextStatus;
        addTo(metadata, call.trailers);
        // Errors of our own carry details that the suite does not expect.
        metadata.remove("grpc-status-details-bin");
        // The suite refuses the `grpc-message: OK` that grpc-js sends with every success.
        if (status.code === grpcStatus.OK)
          return next({ code: status.code, details: "", metadata });
        if (call.error === undefined) return next({ ...status, metadata });
        metadata.set(
          "grpc-status-details-bin",
          Buffer.from(toBinary(StatusSchema, create(StatusSchema, call.error))),
        );
        next({ code: call.error.code, details: call.error.message, metadata });
      })
      .build();
    return new ServerInterceptingCall(nextCall, responder);
  };
}

export function connectInterceptor(calls) {
  return (next) => async (request) => {
    const requestHeaders = [...request.header].map(([name, value]) => ({
      name,
      value: value.split(", "),
    }));
    const call = calls.begin(request.header.get(calls.nameHeader), requestHeaders);
    const errorOf = (error, metadata) => {
      if (call.error === undefined) {
        // Errors of our own carry details that the suite does not expect.
        error.details = [];
        return error;
      }
      const mapped = new ConnectError(call.error.message, call.error.code, metadata);
      // A client reads details in this form: the name of the type, and the bytes.
      mapped.details = call.error.details.map(({ typeUrl, value }) => ({
        type: typeUrl.replace(/^.*\//, ""),
        value,
      }));
      return mapped;
    };
    // The headers leave with the first message: until then the handler has not set them.
    request.contextValues.set(headersKey, () => undefined);
    try {
      const response = await next(request);
      if (!response.stream) {
        addTo(response.header, call.headers);
        addTo(response.trailer, call.trailers);
        return response;
      }
      const messages = response.message[Symbol.asyncIterator]();
      const first = await settled(messages.next());
      addTo(response.header, call.headers);
      return {
        ...response,
        message: passOn(first, messages, errorOf, () => addTo(response.trailer, call.trailers)),
      };
    } catch (error) {
      throw errorOf(error, addTo(addTo(new Headers(), call.headers), call.trailers));
    }
  };
}

async function settled(promise) {
  try {
    return { result: await promise };
  } catch (error) {
    return { error };
  }
}

async function* passOn(first, messages, errorOf, addTrailers) {
  try {
    for (let next = first; ; next = await settled(messages.next())) {
      if (next.error !== undefined) throw errorOf(next.error);
      if (next.result.done) return;
      yield next.result.value;
    }
  } finally {
    addTrailers();
    await messages.return?.();
  }
}

function addTo(target, headers) {
  for (const { name, value } of headers) {
    for (const one of value) {
      if (target instanceof Metadata)
        target.add(name, name.endsWith("-bin") ? Buffer.from(one, "base64") : one);
      else target.append(name, one);
    }
  }
  return target;
}

function headerText(value) {
  return typeof value === "string" ? value : value.toString("base64").replace(/=+$/, "");
}
