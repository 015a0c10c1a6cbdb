import type { DescMethod, Message } from "@bufbuild/protobuf";
import * as protobuf from "@bufbuild/protobuf";
import { afterEach, describe, expect, it, vi } from "vitest";
import { randomNumbers } from "../../../bench/harness/sample-texts.js";
import { encodeShape } from "../../../bench/worst/encode-shape.js";
import { valuesFor } from "../../../bench/worst/filled-folder.js";
import { methodPath, servedMethods } from "../../../bench/worst/served-methods.js";
import {
  describeShape,
  mutateShape,
  type Shape,
  startingShapes,
  targetsOf,
} from "../../../bench/worst/shape.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import { elementsMax, unknownFieldsMax } from "../../../src/edge/wire-elements.js";
import { decodeBinary, decodeJson } from "../../../src/rpc/adapt/decode.js";
import { throwNotedFault } from "../../../src/rpc/adapt/part-faults.js";

vi.mock("@bufbuild/protobuf", async (importOriginal) => {
  const original = await importOriginal<typeof protobuf>();
  return {
    ...original,
    fromBinary: vi.fn(original.fromBinary),
  };
});
const fromBinary = vi.mocked(protobuf.fromBinary);
const parseJson = vi.spyOn(JSON, "parse");

afterEach(() => {
  vi.clearAllMocks();
});

/**
 * Number of shapes for each method. A shape describes an expensive request. Half of the shapes are
 * mutations of the other half.
 */
const shapeCount = 120;

const random = randomNumbers(7);
const records = { memoryIds: ["memory", "another"], proposalIds: ["proposal"] } as const;

function shapesOf(method: DescMethod): Shape[] {
  const worlds = valuesFor(method.parent.name, records);
  const targets = targetsOf(method, worlds[0] ?? {});
  const mutations = { targets, worlds: worlds.length, isStream: false };
  const shapes: Shape[] = [];
  for (const shape of startingShapes(random, mutations)) {
    if (shapes.length === shapeCount / 2) break;
    shapes.push(shape);
  }
  return [...shapes, ...shapes.map((shape) => mutateShape(random, shape, mutations))];
}

/** Decodes a request, and returns its message or the reason of its refusal. */
function decode({ input }: DescMethod, { encoding }: Shape, bytes: Uint8Array): Message | string {
  try {
    const message = encoding === "json" ? decodeJson(input, bytes, {}) : decodeBinary(input, bytes);
    throwNotedFault(message);
    return message;
  } catch (error) {
    if (error instanceof VademecumError) return error.reason;
    throw error;
  }
}

/** Counts the elements (messages, list items and entries of objects) and the unknown fields. */
function countIn(value: unknown): { elements: number; unknown: number } {
  const total = { elements: 0, unknown: 0 };
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null || ArrayBuffer.isView(next)) continue;
    if ("$unknown" in next) total.unknown += (next.$unknown as readonly unknown[]).length;
    const inner = Object.entries<unknown>({ ...next }).filter(([key]) => !key.startsWith("$"));
    // Of the fields of a message, only those that are messages count as elements.
    // The object of a oneof is none.
    const isOneof = "case" in next && !("$typeName" in next);
    if (!isOneof)
      total.elements += "$typeName" in next ? inner.filter(isMessage).length : inner.length;
    pending.push(...inner.map(([, item]) => item));
  }
  return total;
}

function isMessage([, value]: readonly [string, unknown]): boolean {
  return typeof value === "object" && value !== null && "$typeName" in value;
}

const methods = (await servedMethods()).map((method) => [methodPath(method), method] as const);

describe("an expensive request is decoded only up to the limits", () => {
  it.each(methods)("an expensive request of %s is decoded only up to the limits", (_, method) => {
    const reasons = new Set<string>();
    for (const shape of shapesOf(method)) {
      const values = valuesFor(method.parent.name, records)[shape.world] ?? {};
      const bytes = encodeShape(method, shape, values);
      vi.clearAllMocks();
      const decoded = decode(method, shape, bytes);
      // The client_id of an item that is too large is read all the same.
      const parses = decoded === "REQUEST_TOO_COMPLEX" ? parseJson.mock.calls.length : 0;
      const calls = fromBinary.mock.calls.length + parses;
      if (typeof decoded !== "string") {
        reasons.add("decoded");
        const { elements, unknown } = countIn(decoded);
        expect(elements, describeShape(shape)).toBeLessThanOrEqual(elementsMax);
        expect(unknown, describeShape(shape)).toBeLessThanOrEqual(unknownFieldsMax);
        continue;
      }
      reasons.add(decoded);
      if (decoded === "REQUEST_TOO_COMPLEX" || decoded === "REQUEST_TOO_LARGE")
        expect(calls, `${describeShape(shape)}: ${decoded}`).toBe(0);
    }
    // Values that are no fields make every request for a message without fields malformed.
    if (method.input.fields.length > 0) expect(reasons).toContain("decoded");
    expect([...reasons].some((reason) => reason.startsWith("REQUEST_TOO_"))).toBe(true);
  });
});
