import type { ServerInterceptingCall, ServerInterceptor } from "@grpc/grpc-js";
import { countsMessages } from "./begin-call.js";
import { streamOf } from "./grpc-call-stream.js";
import type { Implementation, RpcMethod } from "./handler.js";

/**
 * Lets the status of a reply follow its last message immediately. Otherwise the status waits until
 * the message is on the socket, and a separate write sends an empty frame between the two.
 *
 * grpc-js ends the stream only when the message is sent. Node ends a stream along with its last
 * data, but not if trailers follow. So this interceptor reports a message as sent when the stream
 * has taken the message, and ends the stream early. Two kinds of replies still report a message
 * when it is sent: replies whose reader is slow, and replies whose messages are counted one by one.
 *
 * Replaces methods of the call and returns the same call, as `restateRefusals` does.
 */
export function sendWholeReplies(implementations: readonly Implementation[]): ServerInterceptor {
  const methods = new Map<string, RpcMethod>(
    implementations.flatMap(({ service, methods: all }) =>
      all.map((method) => [`/${service.typeName}/${method.descriptor.name}`, method] as const),
    ),
  );
  return ({ path }, call) => {
    const method = methods.get(path);
    const stream = streamOf(call);
    const sendMessage = call.sendMessage.bind(call);
    const sendStatus = call.sendStatus.bind(call);
    let unsent = 0;
    call.sendMessage = (message, onSent) => {
      const isCounted = method === undefined || countsMessages(method);
      let isAwaited = true;
      const goOn = () => {
        if (isAwaited) onSent();
        isAwaited = false;
      };
      unsent++;
      sendMessage(message, () => {
        unsent--;
        goOn();
      });
      if (!isCounted && !stream.writableNeedDrain) goOn();
    };
    call.sendStatus = (status) => {
      sendStatus(status);
      // The stream has taken the first unsent message, but Node may hold back the next one.
      if (unsent === 1 && stream.writableEnded && !stream.destroyed) stream._final(() => undefined);
    };
    return call as ServerInterceptingCall;
  };
}
