import { describe, expect, it } from "vitest";
import { errorText, invalidField, VademecumError } from "../../../src/core/model/errors.js";

describe("the text of an error", () => {
  it.each<[string, unknown, string]>([
    ["a VademecumError about a field", invalidField("limit", "must be 1"), "limit: must be 1"],
    ["a VademecumError without a field", new VademecumError("ABORTED", "R", "retry"), "retry"],
    ["any other error", new TypeError("no function"), "no function"],
    ["a thrown string", "broken", "broken"],
    ["a thrown undefined", undefined, "undefined"],
  ])("the text of an error is complete for %s", (_name, error, text) => {
    expect(errorText(error)).toBe(text);
  });
});

describe("a VademecumError about a field", () => {
  it("a VademecumError about a field lists that field with its message by default", () => {
    expect(invalidField("limit", "must be 1").fields).toEqual([
      { field: "limit", description: "must be 1" },
    ]);
  });

  it("a VademecumError about a field lists the fields that its creator gave", () => {
    const fields = [{ field: "expected_version", description: "must be 3" }];
    const error = new VademecumError("ABORTED", "VERSION_MISMATCH", "it is at version 3", {
      field: "expected_version",
      fields,
    });
    expect(error.fields).toEqual(fields);
    expect(errorText(error)).toBe("expected_version: it is at version 3");
  });

  it("mapping the field paths of a VademecumError changes only the paths", () => {
    const cause = new Error("cause");
    const error = new VademecumError("UNAVAILABLE", "STORE_UNAVAILABLE", "it is closed", {
      field: "embedding",
      fields: [
        { field: "embedding", description: "first" },
        { field: "kind", description: "second" },
      ],
      retryAfterMs: 250,
      cause,
    });
    const mapped = error.withPaths((path) => `add.${path}`);
    expect(mapped).toMatchObject({
      code: "UNAVAILABLE",
      reason: "STORE_UNAVAILABLE",
      message: "it is closed",
      field: "add.embedding",
      fields: [
        { field: "add.embedding", description: "first" },
        { field: "add.kind", description: "second" },
      ],
      retryAfterMs: 250,
      cause,
    });
  });
});
