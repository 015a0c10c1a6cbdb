import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { type ServerSample, ServerSampleSchema } from "#gen/vademecum/v1/server_pb.js";
import { intervalsOf, methodRates, shortMethod } from "../../console/src/server/rates.js";

const search = "vademecum.v1.MemoryProvider/Search";

function sampleAt(ms: number, searches: bigint, denied: bigint, more: object = {}): ServerSample {
  return create(ServerSampleSchema, {
    time: timestampFromMs(ms),
    methods: [
      { method: search, code: "OK", calls: searches, durationSum: { seconds: searches } },
      { method: search, code: "PERMISSION_DENIED", calls: denied, durationSum: {} },
      { method: "vademecum.v1.AdminService/Prune", code: "OK", calls: 3n, durationSum: {} },
    ],
    ...more,
  });
}

it("rates are the difference of two samples, and not what was counted before", () => {
  const before = sampleAt(0, 100n, 1n);
  const after = sampleAt(10_000, 130n, 11n);
  expect(methodRates(before, after)).toEqual([
    {
      method: "MemoryProvider/Search",
      calls: 40,
      callsPerSecond: 4,
      meanMs: 750,
      failures: [["PERMISSION_DENIED", 10]],
    },
  ]);
  expect(intervalsOf([before, after])).toMatchObject([{ endMs: 10_000, callsPerSecond: 4 }]);
});

it("latencies are the ends of the buckets that half and 99 of 100 calls reach", () => {
  const counts = (first: bigint, third: bigint) => ({ durationCounts: [first, 0n, third, 0n] });
  const [interval] = intervalsOf([
    sampleAt(0, 0n, 0n, counts(50n, 0n)),
    sampleAt(5_000, 0n, 0n, counts(110n, 40n)),
  ]);
  expect(interval?.p50Ms).toBeCloseTo(0.125);
  expect(interval?.p99Ms).toBeCloseTo(0.25);
});

it("a commit takes the mean of its interval; without commits there is no figure", () => {
  const [first, second] = intervalsOf([
    sampleAt(0, 0n, 0n, { commits: 10n, syncTime: { seconds: 1n } }),
    sampleAt(5_000, 0n, 0n, { commits: 30n, syncTime: { seconds: 1n, nanos: 40_000_000 } }),
    sampleAt(9_000, 0n, 0n, { commits: 30n, syncTime: { seconds: 1n, nanos: 40_000_000 } }),
  ]);
  expect(first?.syncMs).toBeCloseTo(2);
  expect(second).toMatchObject({ syncMs: undefined, p50Ms: undefined });
});

it("a method is named without its package", () => {
  expect(shortMethod("vademecum.v1.BlockService/ListBlocks")).toBe("BlockService/ListBlocks");
  expect(shortMethod("grpc.health.v1.Health/Check")).toBe("Health/Check");
});
