import { create } from "@bufbuild/protobuf";
import { FieldMaskSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { MemoryStatus, MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import {
  AddOutcome,
  MemoryChangesSchema,
  type MemoryProvider,
  OnConflict,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { MemoryService } from "../../../src/core/memories/service.js";
import { invalidField } from "../../../src/core/model/errors.js";
import { memoryOf } from "../../core/memory-fixture.js";
import { memoryProviderClient, protocols } from "../protocols.js";
import { recorder } from "../recorder.js";
import { failureOf } from "../rpc-failure.js";
import { useTestRpcServer } from "../test-rpc-server.js";

const serve = useTestRpcServer();
const namespace = { userId: "ann", agentId: "cook" };
const time = (seconds: bigint, nanos = 0) => create(TimestampSchema, { seconds, nanos });

function clientOf(useCases: Partial<MemoryService>): Client<typeof MemoryProvider> {
  const [protocol] = protocols;
  if (protocol === undefined) throw new Error("there is no protocol");
  return memoryProviderClient(serve(useCases), protocol);
}

const added = {
  id: "m1",
  outcome: "REPLACED" as const,
  commitSeq: 2n ** 40n,
  nearDuplicates: [{ id: "m0", relevance: 0.95 }],
};

describe("Add", () => {
  it("Add omits unset optional fields from the input of the use case", async () => {
    const { inputs, run } = recorder(added);
    const client = clientOf({ add: run });
    const response = await client.add({ namespace, content: "x" });
    expect(inputs).toStrictEqual([{ namespace, content: "x", tags: [], restricted: false }]);
    expect(response).toMatchObject({
      id: "m1",
      commitSeq: 2n ** 40n,
      nearDuplicates: [{ id: "m0", relevance: 0.95 }],
      outcome: AddOutcome.REPLACED,
    });
  });

  it("Add passes every field to the use case", async () => {
    const { inputs, run } = recorder(added);
    const fields = {
      content: "x",
      kind: "fact",
      tags: ["a"],
      importance: 0,
      restricted: true,
      source: "s",
      author: "b",
      threadId: "t",
    };
    const ids = { supersedes: "m0", externalId: "mail-1", idempotencyKey: "k" };
    const rest = { metadata: { a: [1, null] }, ...ids };
    await clientOf({ add: run }).add({
      namespace,
      ...fields,
      ...rest,
      memoryType: MemoryType.SCRATCH_PAGE,
      status: MemoryStatus.RESOLVED,
      onConflict: OnConflict.KEEP,
      eventTime: time(-1n, 5),
      expireTime: time(9n),
      embedding: [0.5, 2],
    });
    const eventTime = { seconds: -1, nanos: 5 };
    const expireTime = { seconds: 9, nanos: 0 };
    const named = {
      memoryType: "SCRATCH_PAGE",
      status: "RESOLVED",
      onConflict: "KEEP",
      eventTime,
      expireTime,
      embedding: Float32Array.of(0.5, 2),
    };
    expect(inputs).toStrictEqual([{ namespace, ...fields, ...rest, ...named }]);
  });
});

describe("AddTrace", () => {
  it("AddTrace stores the trace for the user 'system' if the request names no user", async () => {
    const { inputs, run } = recorder(added);
    const client = clientOf({ addTrace: run });
    const response = await client.addTrace({
      agentId: "bio",
      workflowId: "w1",
      traceData: { steps: [1] },
    });
    await client.addTrace({
      agentId: "bio",
      workflowId: "w1",
      traceData: {},
      userId: "ann",
      threadId: "t",
      eventTime: time(3n),
      idempotencyKey: "k",
    });
    expect(response).toMatchObject({ id: "m1", commitSeq: 2n ** 40n });
    expect(inputs).toStrictEqual([
      {
        namespace: { userId: "system", agentId: "bio" },
        workflowId: "w1",
        traceData: { steps: [1] },
      },
      {
        namespace: { userId: "ann", agentId: "bio" },
        workflowId: "w1",
        traceData: {},
        threadId: "t",
        eventTime: { seconds: 3, nanos: 0 },
        idempotencyKey: "k",
      },
    ]);
  });
});

describe("Update", () => {
  const updated = { memory: memoryOf({ version: 2 }), namespace, commitSeq: 9n };
  const changesOf = async (changes: object, paths: string[] = []) => {
    const { inputs, run } = recorder<{ readonly changes: object }, typeof updated>(updated);
    await clientOf({ update: run }).update({
      namespace,
      id: "m1",
      changes,
      updateMask: create(FieldMaskSchema, { paths }),
    });
    return inputs[0]?.changes;
  };

  it("Update without a mask changes the fields that are set", async () => {
    const { inputs, run } = recorder(updated);
    const client = clientOf({ update: run });
    const response = await client.update({
      namespace,
      id: "m1",
      changes: { content: "y", restricted: false },
      expectedVersion: 1n,
      includeExpired: true,
      idempotencyKey: "k",
    });
    expect(inputs).toStrictEqual([
      {
        namespace,
        id: "m1",
        changes: { content: "y", restricted: false },
        expectedVersion: 1,
        includeExpired: true,
        idempotencyKey: "k",
      },
    ]);
    expect(response).toMatchObject({ memory: { version: 2n, namespace }, commitSeq: 9n });
  });

  it("Update without changes is refused before the use case runs", async () => {
    const { inputs, run } = recorder(updated);
    const client = clientOf({ update: run });
    const failure = await failureOf(client.update({ namespace, id: "m1", changes: {} }));
    expect(failure).toMatchObject({ code: "InvalidArgument", fields: [{ field: "changes" }] });
    expect(inputs).toEqual([]);
  });

  it("Update sets each field that the mask names, or clears the field if the request does not set it", async () => {
    expect(
      await changesOf({ content: "y", kind: "fact", importance: 1 }, [
        "kind",
        "author",
        "tags",
        "memory_type",
      ]),
    ).toStrictEqual({
      kind: "fact",
      author: undefined,
      tags: undefined,
      memoryType: undefined,
    });
  });

  it("Update accepts every field of MemoryChanges in the mask", async () => {
    const names = MemoryChangesSchema.fields.map(({ name }) => name);
    const changes = await changesOf({ content: "y" }, names);
    expect(Object.keys(changes ?? {}).sort()).toEqual(
      MemoryChangesSchema.fields.map(({ localName }) => localName).sort(),
    );
  });

  it("Update refuses to clear the content", async () => {
    expect(await failureOf(changesOf({ kind: "fact" }, ["content"]))).toMatchObject({
      code: "InvalidArgument",
      fields: [{ field: "update_mask" }],
    });
  });

  it.each(["colour", "metadata.a", "*", "id", "constructor", ""])(
    "Update refuses a mask with %j and lists the allowed names",
    async (path) => {
      const failure = await failureOf(changesOf({ kind: "fact" }, ["kind", path]));
      expect(failure).toMatchObject({
        code: "InvalidArgument",
        reason: "INVALID_FIELD",
        fields: [{ field: "update_mask" }],
      });
      expect(failure.message).toContain("content, memory_type, kind, tags");
    },
  );

  it("Update reports a faulty field inside of `changes` with its full path", async () => {
    const client = clientOf({
      update: () =>
        Promise.reject(invalidField("embedding", "has 3 numbers", "EMBEDDING_DIMENSION_MISMATCH")),
    });
    expect(
      await failureOf(client.update({ namespace, id: "m1", changes: { kind: "x" } })),
    ).toMatchObject({
      fields: [{ field: "changes.embedding" }],
    });
    const other = clientOf({
      update: () => Promise.reject(invalidField("expected_version", "is not it")),
    });
    expect(
      await failureOf(other.update({ namespace, id: "m1", changes: { kind: "x" } })),
    ).toMatchObject({
      fields: [{ field: "expected_version" }],
    });
  });
});

describe("Delete and DeleteWhere", () => {
  it("Delete and DeleteWhere return what the use case deleted", async () => {
    const deletion = recorder({ deleted: true });
    const deletions = recorder({ deleted: 3, sampleIds: ["m3"] });
    const client = clientOf({ delete: deletion.run, deleteWhere: deletions.run });
    expect(await client.delete({ namespace, id: "m1", idempotencyKey: "k" })).toMatchObject({
      deleted: true,
    });
    expect(
      await client.deleteWhere({ namespace, filter: { source: "s" }, dryRun: true }),
    ).toMatchObject({
      deleted: 3n,
      sampleIds: ["m3"],
    });
    expect(deletion.inputs).toStrictEqual([{ namespace, id: "m1", idempotencyKey: "k" }]);
    expect(deletions.inputs).toStrictEqual([{ namespace, filter: { source: "s" }, dryRun: true }]);
  });
});

describe("Reset", () => {
  it("Reset resets one namespace or everything", async () => {
    const { inputs, run } = recorder({ deleted: 5 });
    const client = clientOf({ reset: run });
    expect(
      await client.reset({ target: { case: "namespace", value: namespace }, idempotencyKey: "k" }),
    ).toMatchObject({ deleted: 5n });
    await client.reset({ target: { case: "everything", value: true } });
    expect(inputs).toStrictEqual([
      { target: namespace, idempotencyKey: "k" },
      { target: "everything" },
    ]);
  });
});
