import { create } from "@bufbuild/protobuf";
import {
  ClearThreadResponseSchema,
  ThreadService as ThreadServiceDescriptor,
} from "#gen/vademecum/v1/thread_service_pb.js";
import type { ThreadService } from "../../core/threads/service.js";
import { type Implementation, implement } from "../adapt/handler.js";
import {
  fromAppendedTurns,
  fromForkedThread,
  fromLastTurns,
  fromPoppedTurn,
  fromReplacedThread,
  fromThreadPage,
  toAppendTurnsInput,
  toForkThreadInput,
  toGetTurnsQuery,
  toListThreadsQuery,
  toReplaceThreadInput,
  toThreadInput,
} from "../convert/thread.js";

/** Creates the RPCs of `vademecum.v1.ThreadService`. */
export function createThreadsRpcs(threads: ThreadService): Implementation {
  return implement(ThreadServiceDescriptor, {
    appendTurns: async (request, call) =>
      fromAppendedTurns(await threads.append(toAppendTurnsInput(request), call)),
    getTurns: async (request, call) => {
      const query = toGetTurnsQuery(request);
      return fromLastTurns(await threads.getTurns(query, call), query.namespace);
    },
    popTurn: async (request, call) => {
      const input = toThreadInput(request);
      return fromPoppedTurn(await threads.pop(input, call), input.namespace);
    },
    replaceThread: async (request, call) =>
      fromReplacedThread(await threads.replace(toReplaceThreadInput(request), call)),
    clearThread: async (request, call) =>
      create(ClearThreadResponseSchema, await threads.clear(toThreadInput(request), call)),
    forkThread: async (request, call) =>
      fromForkedThread(await threads.fork(toForkThreadInput(request), call)),
    listThreads: async (request, call) =>
      fromThreadPage(await threads.list(toListThreadsQuery(request), call)),
  });
}
