import { expect, it } from "vitest";
import { anonymous, type Principal } from "../../../src/core/model/principal.js";
import { CallLifetime } from "../../../src/rpc/adapt/call-lifetime.js";
import { OpenStreams, type StreamKind } from "../../../src/rpc/admit/open-streams.js";
import { defaultTrafficLimits, type TrafficLimits } from "../../../src/rpc/admit/traffic-limits.js";
import { newRefusals } from "./new-refusals.js";

const principalOf = (name: string): Principal => ({ ...anonymous, name });
const overloaded: unknown = expect.objectContaining({
  reason: "OVERLOADED",
  retryAfterMs: expect.any(Number) as unknown,
});

/** Returns a function that opens a call on one server, by default on a connection of its own. */
function streamsOf(limits: Partial<TrafficLimits>) {
  const streams = new OpenStreams({ ...defaultTrafficLimits, ...limits }, newRefusals());
  return (kind: StreamKind, principal: Principal = anonymous, connection: object = {}) => {
    const lifetime = new CallLifetime(Infinity, () => undefined);
    const onEnd = (listener: (reason: Error) => void) => lifetime.onEnd(listener);
    streams.open(kind, { principal, connection, onEnd });
    return lifetime;
  };
}

it("open streams are limited for each principal, and the next stream can open once one has ended", () => {
  const open = streamsOf({ callsPerPrincipal: 2 });
  const first = open("requests", principalOf("key:ann"));
  open("requests", principalOf("cert:ann"));
  expect(() => open("requests", principalOf("key:ann"))).toThrow(overloaded);
  open("requests", principalOf("key:bob"));
  first.finish();
  open("requests", principalOf("key:ann"));
});

it("open streams of callers without credentials have only the limit for all callers together", () => {
  const open = streamsOf({ streams: 3, callsPerPrincipal: 1 });
  const first = open("requests");
  open("requests");
  open("requests");
  expect(() => open("requests")).toThrow(overloaded);
  expect(() => open("requests", principalOf("key:ann"))).toThrow(overloaded);
  first.cancel(false);
  open("requests", principalOf("key:ann"));
});

it("each principal may have half of the watches of proposals", () => {
  const open = streamsOf({ watches: 2 });
  open("proposalWatches", principalOf("key:ann"));
  expect(() => open("proposalWatches", principalOf("key:ann"))).toThrow(overloaded);
  open("proposalWatches", principalOf("key:bob"));
});

it("each connection may have eight open watches of the health", () => {
  const open = streamsOf({});
  const connection = {};
  const first = open("healthWatches", anonymous, connection);
  for (let more = 1; more < 8; more++) open("healthWatches", anonymous, connection);
  expect(() => open("healthWatches", anonymous, connection)).toThrow(overloaded);
  open("healthWatches");
  first.cancel(false);
  open("healthWatches", anonymous, connection);
});

it("each kind of open call has a limit of its own", () => {
  const kinds = [
    "requests",
    "healthWatches",
    "proposalWatches",
    "memoryWatches",
    "maintenance",
  ] as const;
  const open = streamsOf({
    streams: 1,
    watches: 1,
    maintenanceCalls: 1,
  });
  for (const kind of kinds) {
    open(kind);
    expect(() => open(kind)).toThrow(overloaded);
  }
});

it("maintenance calls leave room for the other operators of a tenant, and for each other tenant", () => {
  const open = streamsOf({ maintenanceCalls: 9 });
  const operatorOf = (tenant: string, name: string) => ({ ...principalOf(`key:${name}`), tenant });
  const first = open("maintenance", operatorOf("acme", "a"));
  for (let more = 1; more < 4; more++) open("maintenance", operatorOf("acme", "a"));
  expect(() => open("maintenance", operatorOf("acme", "a"))).toThrow(overloaded);
  for (let more = 0; more < 4; more++) open("maintenance", operatorOf("acme", "b"));
  expect(() => open("maintenance", operatorOf("acme", "c"))).toThrow(overloaded);
  open("maintenance", operatorOf("bolt", "a"));
  expect(() => open("maintenance", operatorOf("bolt", "a"))).toThrow(overloaded);
  expect(() => open("maintenance")).toThrow(overloaded);
  open("maintenance", operatorOf("core", "a")).finish();
  first.finish();
  open("maintenance", operatorOf("acme", "c"));
});

it("principals of the same name in two tenants do not share limits", () => {
  const open = streamsOf({ callsPerPrincipal: 1 });
  open("requests", { ...principalOf("jwt:issuer#kim"), tenant: "acme" });
  open("requests", { ...principalOf("jwt:issuer#kim"), tenant: "bolt" });
  expect(() => open("requests", { ...principalOf("jwt:issuer#kim"), tenant: "bolt" })).toThrow(
    overloaded,
  );
});
