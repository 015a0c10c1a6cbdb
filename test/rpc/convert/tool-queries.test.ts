import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { QueryMemoryRequestSchema } from "#gen/vademecum/v1/tool_service_pb.js";
import { toQueryMemoryInput } from "../../../src/rpc/convert/tool.js";

it("QueryMemory checks only the first ten of a hundred queries, and reports a fault for each of the others", () => {
  const queries = Array.from({ length: 100 }, (_, at) => ({ queryId: `${at}`, memoryType: 1 }));
  const request = create(QueryMemoryRequestSchema, { userId: "ann", agentContext: {}, queries });
  const checked: string[] = [];
  const input = toQueryMemoryInput(request, ({ queryId }) => {
    checked.push(queryId);
    return undefined;
  });
  expect(checked).toEqual(queries.slice(0, 10).map(({ queryId }) => queryId));
  expect(input.queries[99]).toMatchObject({
    queryId: "99",
    fault: "a request may have at most 10 queries; this is number 100",
  });
});
