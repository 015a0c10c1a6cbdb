import { expect, it } from "vitest";
import { anonymous, type Principal } from "../../../src/core/model/principal.js";
import { CallLifetime } from "../../../src/rpc/adapt/call-lifetime.js";
import { RequestStreams } from "../../../src/rpc/traffic/request-streams.js";
import { newRefusals } from "./new-refusals.js";

const principalOf = (name: string): Principal => ({ ...anonymous, name });
const overloaded: unknown = expect.objectContaining({
  reason: "OVERLOADED",
  retryAfterMs: expect.any(Number) as unknown,
});

/** Returns a function that opens a stream of a principal on one server. */
function streamsOf(streams: number, streamsPerPrincipal: number) {
  const open = new RequestStreams({ streams, streamsPerPrincipal }, newRefusals());
  return (principal: Principal) => {
    const lifetime = new CallLifetime(Infinity, () => undefined);
    open.open({ principal, onEnd: (listener) => lifetime.onEnd(listener) });
    return lifetime;
  };
}

it("open streams are limited for each principal, and an ended stream makes room for the next", () => {
  const open = streamsOf(100, 2);
  const first = open(principalOf("key:ann"));
  open(principalOf("cert:ann"));
  expect(() => open(principalOf("key:ann"))).toThrow(overloaded);
  open(principalOf("key:bob"));
  first.finish();
  open(principalOf("key:ann"));
});

it("open streams of callers without credentials are limited in all only", () => {
  const open = streamsOf(3, 1);
  const first = open(anonymous);
  open(anonymous);
  open(anonymous);
  expect(() => open(anonymous)).toThrow(overloaded);
  expect(() => open(principalOf("key:ann"))).toThrow(overloaded);
  first.cancel(false);
  open(principalOf("key:ann"));
});
