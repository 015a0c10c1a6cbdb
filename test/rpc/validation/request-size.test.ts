import { expect, it } from "vitest";
import { HealthCheckRequestSchema } from "#gen/grpc/health/v1/health_pb.js";
import { ServerReflectionRequestSchema } from "#gen/grpc/reflection/v1/reflection_pb.js";
import { RestoreRequestSchema } from "#gen/vademecum/v1/backup_pb.js";
import { AddRequestSchema, GetRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SubmitToolResponseRequestSchema } from "#gen/vademecum/v1/tool_service_pb.js";
import { DispatchRequestSchema } from "#gen/vademecum/v1/toolset_pb.js";
import { requestTypes } from "../../../src/rpc/descriptors.js";
import { requestLimitBytes } from "../../../src/rpc/validation/request-size.js";

it("the size limit of a request follows from the rules of its fields", () => {
  const kib = (bytes: number) => bytes / 1024;
  expect(kib(requestLimitBytes(GetRequestSchema))).toBe(64);
  expect(kib(requestLimitBytes(AddRequestSchema))).toBe(256);
  expect(kib(requestLimitBytes(SubmitToolResponseRequestSchema))).toBe(1024);
  expect(kib(requestLimitBytes(DispatchRequestSchema))).toBe(1024);
  expect(kib(requestLimitBytes(HealthCheckRequestSchema))).toBe(64);
  expect(kib(requestLimitBytes(ServerReflectionRequestSchema))).toBe(64);
});

it("only a message of Restore or Import may have 4 MiB, and no other request more than 1 MiB", () => {
  const larger = requestTypes.filter((schema) => requestLimitBytes(schema) > 1024 * 1024);
  expect(larger.map(({ name }) => name)).toEqual(["RestoreRequest", "ImportRequest"]);
  expect(requestLimitBytes(RestoreRequestSchema)).toBe(4 * 1024 * 1024);
});
