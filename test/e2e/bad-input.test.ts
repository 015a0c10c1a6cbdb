import { create, type DescMethod, fromJson, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  AddBatchRequestSchema,
  AddRequestSchema,
  MemoryProvider,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { describeOver } from "../over-protocols.js";
import { badInputServer } from "./bad-input/bad-input-server.js";
import { invalidKeyValueRequests } from "./bad-input/invalid-key-value-requests.js";
import { invalidProposalRequests } from "./bad-input/invalid-proposal-requests.js";
import { type InvalidRequest, invalidRequests } from "./bad-input/invalid-requests.js";
import { invalidSkillRequests } from "./bad-input/invalid-skill-requests.js";
import { target } from "./bad-input/target.js";
import {
  framed,
  type RawReply,
  rawGrpcCall,
  rawJsonCall,
  rawJsonStream,
} from "./harness/raw-calls.js";

const started = badInputServer();

/** The encodings and listeners that each invalid request is sent over. */
const ways: readonly {
  name: string;
  readonly send: (request: InvalidRequest) => Promise<RawReply>;
}[] = [
  {
    name: "gRPC on its own port",
    send: async (request) =>
      rawGrpcCall(started().urls.grpcUrl, pathOf(request.method), framed(binaryOf(request))),
  },
  {
    name: "gRPC on the HTTP port",
    send: async (request) =>
      rawGrpcCall(started().urls.httpUrl, pathOf(request.method), framed(binaryOf(request))),
  },
  {
    name: "Connect JSON",
    send: async ({ method, request }) => {
      const call = method.methodKind === "unary" ? rawJsonCall : rawJsonStream;
      return call(started().urls.httpUrl, pathOf(method), JSON.stringify(request));
    },
  },
];

describeOver(
  "an invalid request is refused with the path of the field, and has no effect",
  ways,
  (way) => {
    const named = [
      ...invalidRequests,
      ...invalidKeyValueRequests,
      ...invalidProposalRequests,
      ...invalidSkillRequests,
    ].map((request) => ({
      ...request,
      title: `${request.method.name} with ${request.name}`,
    }));
    it.each(named)("$title is refused with the path of the field", async (request) => {
      const { failure } = await way().send(request);
      expect(failure).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: request.reason ?? "INVALID_FIELD",
        fields: [request.field],
      });
      expect(failure?.message).toContain(request.field);
      await started().expectUnharmed();
    });
  },
);

describe("invalid items of a batch", () => {
  it("invalid items of a batch are refused one by one, each with the path that Add names", async () => {
    const adds = invalidRequests.filter(({ method }) => method === MemoryProvider.method.add);
    const items = adds.map(({ name, request }) =>
      create(AddBatchRequestSchema, { clientId: name, add: fromJson(AddRequestSchema, request) }),
    );
    const replies = await started().memories.addBatch(items);
    expect(replies.map(({ clientId }) => clientId)).toEqual(adds.map(({ name }) => name));
    for (const [i, { result }] of replies.entries()) {
      expect(result.case === "error" && result.value.message, adds[i]?.name).toContain(
        adds[i]?.field,
      );
    }
    await started().expectUnharmed();
  });
});

describe("the error of a request", () => {
  it("the error of a request names every invalid field", async () => {
    const request = {
      namespace: { ...target, userId: "" },
      content: "",
      importance: 2,
      tags: [""],
    };
    const { failure } = await rawJsonCall(
      started().urls.httpUrl,
      pathOf(MemoryProvider.method.add),
      JSON.stringify(request),
    );
    expect(failure?.fields.toSorted()).toEqual([
      "content",
      "importance",
      "namespace.user_id",
      "tags[0]",
    ]);
  });
});

function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

function binaryOf({ method, request }: InvalidRequest): Uint8Array {
  return toBinary(method.input, fromJson(method.input, request));
}
