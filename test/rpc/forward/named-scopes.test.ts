import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { AdminService, ReindexRequestSchema } from "#gen/vademecum/v1/admin_pb.js";
import { KeyValueService, ReadKeyRequestSchema } from "#gen/vademecum/v1/key_value_service_pb.js";
import {
  AddTraceRequestSchema,
  MemoryProvider,
  ResetRequestSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { ListToolsRequestSchema, ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { DispatchRequestSchema } from "#gen/vademecum/v1/toolset_pb.js";
import type { KeyValueService as KeyValues } from "../../../src/core/key-values/service.js";
import { keyValueToolNames, keyValueTools } from "../../../src/core/toolsets/key-value-tools.js";
import { namedScopes } from "../../../src/rpc/forward/named-scopes.js";

const ann = { kind: "user", userId: "ann" };
const namespace = { userId: "ann", agentId: "x" };

it("a call uses the data of the user that it names, or of the run for notes", () => {
  const notes = create(ReadKeyRequestSchema, { runId: "r", key: "k" });
  expect(namedScopes(KeyValueService.method.readKey, notes)).toEqual([{ kind: "run", runId: "r" }]);
  const trace = create(AddTraceRequestSchema, { agentId: "x" });
  expect(namedScopes(MemoryProvider.method.addTrace, trace)).toEqual([
    { kind: "user", userId: "system" },
  ]);
  const reset = create(ResetRequestSchema, { target: { case: "namespace", value: namespace } });
  expect(namedScopes(MemoryProvider.method.reset, reset)).toEqual([ann]);
  const list = create(ListToolsRequestSchema, {});
  expect(namedScopes(ToolService.method.listTools, list)).toEqual([{ kind: "server" }]);
});

it("a tool call of a model uses the run for notes, and the user for everything else", () => {
  const { dispatch } = ToolService.method;
  const scopesOf = (toolName: string) =>
    namedScopes(dispatch, create(DispatchRequestSchema, { runId: "r", namespace, toolName }));
  for (const { name } of keyValueTools({} as KeyValues))
    expect(scopesOf(name)).toEqual([{ kind: "run", runId: "r" }]);
  expect(scopesOf("search_memory")).toEqual([ann]);
  expect(keyValueToolNames.size).toBe(keyValueTools({} as KeyValues).length);
});

it("a call over all users names no scope", () => {
  const reset = create(ResetRequestSchema, { target: { case: "everything", value: true } });
  expect(namedScopes(MemoryProvider.method.reset, reset)).toEqual([]);
  const reindex = create(ReindexRequestSchema, { target: { case: "all", value: true } });
  expect(namedScopes(AdminService.method.reindex, reindex)).toEqual([]);
});
