import { toBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { status as grpcStatus } from "@grpc/grpc-js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "#gen/google/rpc/status_pb.js";
import { type Code, VademecumError } from "../../../src/core/model/errors.js";
import { createErrorReporter, toConnectError, toStatus } from "../../../src/rpc/adapt/status.js";
import { propertyRuns } from "../../suite.js";

const codes: readonly Code[] = [
  "CANCELLED",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
];

describe("an error on the wire", () => {
  it.each(codes)("code %s has its canonical number on the wire", (code) => {
    const error = new VademecumError(code, "SOME_REASON", "text");
    expect(toStatus(error).code).toBe(grpcStatus[code]);
    expect(toConnectError(error).code).toBe(grpcStatus[code]);
  });

  it("an error has the same details over Connect as over gRPC", () => {
    const fields = [{ field: "filter.kinds[0]", description: "must not be empty" }];
    const error = new VademecumError("INVALID_ARGUMENT", "INVALID_FIELD", "text", {
      fields,
      retryAfterMs: 250,
    });
    const packed = toStatus(error).details;
    expect(packed.map(({ typeUrl }) => typeUrl.split("/")[1])).toEqual([
      "google.rpc.ErrorInfo",
      "google.rpc.BadRequest",
      "google.rpc.RetryInfo",
    ]);
    const sent = toConnectError(error);
    for (const schema of [ErrorInfoSchema, BadRequestSchema]) {
      const [unpacked] = packed
        .map((any) => anyUnpack(any, schema))
        .filter((message) => message !== undefined);
      expect(sent.findDetails(schema)).toEqual([unpacked]);
    }
  });

  it("an error fits into 8 KiB of headers, whatever its message and fields", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 4000 });
    const fields = fc.array(fc.record({ field: text, description: text }), { maxLength: 50 });
    fc.assert(
      fc.property(text, fields, (message, violations) => {
        const status = toStatus(
          new VademecumError("INVALID_ARGUMENT", "INVALID_FIELD", message, { fields: violations }),
        );
        expect(encodeURIComponent(status.message).length).toBeLessThan(3100);
        expect(Buffer.from(toBinary(StatusSchema, status)).toString("base64").length).toBeLessThan(
          5000,
        );
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it("an error with 1,000 fields lists the first of them, up to 2 KiB", () => {
    const fields = Array.from({ length: 1000 }, (_, i) => ({
      field: `tags[${i}]`,
      description: "must have 1 to 128 bytes",
    }));
    const [, badRequest] = toStatus(
      new VademecumError("INVALID_ARGUMENT", "INVALID_FIELD", "text", { fields }),
    ).details;
    const details = badRequest && anyUnpack(badRequest, BadRequestSchema);
    const named = (details?.fieldViolations ?? []).map(({ field, description }) => ({
      field,
      description,
    }));
    expect(named.length).toBeGreaterThan(10);
    expect(named).toEqual(fields.slice(0, named.length));
    const bytesOf = (some: typeof fields) =>
      some.reduce((sum, { field, description }) => sum + field.length + description.length, 0);
    expect(bytesOf(named)).toBeLessThanOrEqual(2048);
    expect(bytesOf(fields.slice(0, named.length + 1))).toBeGreaterThan(2048);
  });

  it("an error that quotes malformed Unicode is well-formed Unicode", () => {
    expect(
      toStatus(new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", "memory '\ud800' not found"))
        .message,
    ).toBe("memory '\ufffd' not found");
  });
});

describe("the error reporter", () => {
  it("the error reporter returns an expected error without logging it", () => {
    const logged: unknown[] = [];
    const report = createErrorReporter({ error: (line: unknown) => void logged.push(line) });
    const error = new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", "text");
    expect(report(error, { path: "/a/b", requestId: "r-1" })).toBe(error);
    expect(logged).toEqual([]);
  });

  it.each([new TypeError("secret"), "secret", undefined, { secret: true }])(
    "the error reporter hides the unexpected error %s and logs it under the request id of the message",
    (thrown) => {
      const logged: { err: unknown; requestId: string }[] = [];
      const report = createErrorReporter({
        error: (line: unknown) => void logged.push(line as { err: unknown; requestId: string }),
      });
      const error = report(thrown, { path: "/a/b", requestId: "r-1" });
      expect(error).toMatchObject({ code: "INTERNAL", reason: "INTERNAL_ERROR", fields: [] });
      expect(error.message).not.toContain("secret");
      expect(logged).toMatchObject([{ err: thrown, method: "/a/b", requestId: "r-1" }]);
      expect(error.message).toContain("r-1");
      expect(error.metadata).toEqual({ request_id: "r-1" });
    },
  );
});
