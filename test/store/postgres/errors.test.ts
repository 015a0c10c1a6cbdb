import pg from "pg";
import { describe, expect, it } from "vitest";
import { VademecumError } from "../../../src/core/model/errors.js";
import {
  ConnectionLost,
  errorForCallers,
  isConnectionLoss,
  isTransient,
} from "../../../src/store/postgres/errors.js";

function databaseError(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError("the text of PostgreSQL", 0, "error");
  error.code = code;
  error.detail = "Key (id)=(a secret) already exists.";
  return error;
}

function systemError(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code, syscall: "connect" });
}

describe("errors of the connection", () => {
  it.each([
    new ConnectionLost("gone"),
    systemError("ECONNREFUSED"),
    systemError("ECONNRESET"),
    systemError("ENOTFOUND"),
    ...["08006", "08P01", "57P01", "57P02", "57P03", "25P03", "25006"].map(databaseError),
  ])("the connection error %s may be retried, and reaches callers as UNAVAILABLE", (error) => {
    expect(isConnectionLoss(error)).toBe(true);
    expect(isTransient(error)).toBe(true);
    expect(errorForCallers(error)).toMatchObject({
      code: "UNAVAILABLE",
      reason: "STORE_UNAVAILABLE",
      retryAfterMs: 1000,
    });
  });
});

describe("errors of a statement", () => {
  it.each(["40001", "40P01", "55P03", "23505", "25P02"])(
    "the SQL state %s may be retried, and reaches callers as UNAVAILABLE",
    (code) => {
      expect(isConnectionLoss(databaseError(code))).toBe(false);
      expect(isTransient(databaseError(code))).toBe(true);
      expect(errorForCallers(databaseError(code))).toMatchObject({ code: "UNAVAILABLE" });
    },
  );

  it("a function that has missed the move of its shard may be retried", () => {
    const error = new pg.DatabaseError(
      "cannot execute a distributed query from a query on a shard",
      0,
      "error",
    );
    error.code = "XX000";
    expect(isTransient(error)).toBe(true);
    expect(errorForCallers(error)).toMatchObject({ code: "UNAVAILABLE" });
  });

  it.each([
    ["53100", "RESOURCE_EXHAUSTED", "DISK_FULL"],
    ["53300", "UNAVAILABLE", "STORE_UNAVAILABLE"],
    ["57014", "UNAVAILABLE", "STORE_UNAVAILABLE"],
    ["28P01", "UNAVAILABLE", "STORE_UNAVAILABLE"],
    ["3D000", "UNAVAILABLE", "STORE_UNAVAILABLE"],
    ["XX001", "DATA_LOSS", "DAMAGED_RECORD"],
    ["XX002", "DATA_LOSS", "DAMAGED_RECORD"],
  ])("the SQL state %s is not retried, and reaches callers as %s (%s)", (state, code, reason) => {
    expect(isTransient(databaseError(state))).toBe(false);
    expect(errorForCallers(databaseError(state))).toMatchObject({ code, reason });
  });

  it("any other error of a statement reaches callers as an unexpected error, without details that can contain ids", () => {
    const mapped = errorForCallers(databaseError("42P01"));
    expect(mapped).toBeInstanceOf(Error);
    expect(mapped).not.toBeInstanceOf(VademecumError);
    expect(String(mapped)).toBe(
      "Error: PostgreSQL refused a statement: 42P01: the text of PostgreSQL",
    );
    expect(JSON.stringify(mapped, Object.getOwnPropertyNames(mapped))).not.toContain("secret");
  });
});

it("errors of the service and of callers' functions stay unchanged", () => {
  for (const error of [new VademecumError("NOT_FOUND", "X", "x"), new Error("planned")])
    expect(errorForCallers(error)).toBe(error);
});
