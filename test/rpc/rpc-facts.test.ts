import { describe, expect, it } from "vitest";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import {
  RpcFacts_Access as Access,
  RpcFacts_Effect as Effect,
} from "#gen/vademecum/v1/options_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { descriptors } from "../../src/rpc/descriptors.js";
import { factsOf } from "../../src/rpc/rpc-facts.js";
import { allMethods } from "../e2e/isolation/services.js";
import { describedMethod } from "./described-service.js";

const reads = { effect: Effect.READS } as const;

describe("the facts about an RPC", () => {
  it("every RPC of the definitions is served, says who may call it, and whether it writes", async () => {
    const methods = await allMethods();
    expect(descriptors.flatMap((service) => service.methods).length).toBe(methods.length);
    for (const method of methods) factsOf(method);
  });

  it("an RPC may be open to one of several roles, to any credentials, or to everybody", () => {
    expect(factsOf(MemoryProvider.method.reset)).toEqual({
      rule: ["curator", "operator"],
      writes: true,
      audited: ["target"],
      requestMaxBytes: undefined,
      unsetMeansAllowed: false,
    });
    expect(factsOf(describedMethod([], { ...reads, access: [Access.ANY_CREDENTIALS] })).rule).toBe(
      "any credentials",
    );
    expect(factsOf(describedMethod([], { ...reads, access: [Access.EVERYBODY] })).rule).toBe(
      "everybody",
    );
  });

  it.each([
    ["no options", undefined, "effect"],
    ["no effect", { access: [Access.READER] }, "effect"],
    ["no access", reads, "access"],
    ["an unspecified access", { ...reads, access: [Access.UNSPECIFIED] }, "access"],
    ["everybody and a role", { ...reads, access: [Access.EVERYBODY, Access.TOOL] }, "access"],
    [
      "two rules without roles",
      { ...reads, access: [Access.EVERYBODY, Access.EVERYBODY] },
      "access",
    ],
    [
      "a logged field that no request has",
      { ...reads, access: [Access.READER], audited: { fields: ["reason"] } },
      "`reason`",
    ],
    [
      "a logged id of users' data",
      { ...reads, access: [Access.READER], audited: { fields: ["memory_ids"] } },
      "`memory_ids`, an id",
    ],
  ])("an RPC with %s cannot be served", (_, facts, problem) => {
    expect(() => factsOf(describedMethod([], facts))).toThrow(problem);
    expect(() => factsOf(describedMethod([], facts))).toThrow("described.Things/Do");
  });

  it("the definitions of others say nothing about an RPC", () => {
    expect(() => factsOf(Health.method.check)).toThrow("effect");
  });

  it("a call that writes needs another role than `reader`, or a role that its request decides", async () => {
    const methods = (await allMethods()).filter((method) => {
      const { rule, writes } = factsOf(method);
      return writes && (typeof rule === "string" || rule.includes("reader"));
    });
    expect(methods).toEqual([ToolService.method.dispatch]);
  });

  it("a call that writes has an idempotency key, unless it is repeated by its content", async () => {
    const differing = (await allMethods()).filter(
      (method) => factsOf(method).writes !== "idempotencyKey" in method.input.field,
    );
    expect(differing.map(({ name }) => name)).toEqual([
      // A job has an id.
      "CancelJob",
      "Reindex",
      "Prune",
      "Restore",
      "Import",
      "HoldWrites",
      // Each item of the stream has a key.
      "AddBatch",
    ]);
  });
});
