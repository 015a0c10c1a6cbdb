import type { SlotCall } from "./call-slots.js";
import { PrincipalCounts } from "./principal-counts.js";
import type { Refusals } from "./refusals.js";
import type { TrafficLimits } from "./traffic-limits.js";

/**
 * Limits the open streams of requests, such as calls of AddBatch, in all and for each principal. A
 * stream has no call slot while it waits for its next message, but it takes RAM all the time.
 */
export class RequestStreams {
  readonly #limits: Pick<TrafficLimits, "streams" | "streamsPerPrincipal">;
  readonly #refusals: Refusals;
  readonly #counts = new PrincipalCounts();
  #open = 0;

  constructor(limits: Pick<TrafficLimits, "streams" | "streamsPerPrincipal">, refusals: Refusals) {
    this.#limits = limits;
    this.#refusals = refusals;
  }

  /**
   * Counts a stream until its call ends.
   *
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) when too many streams are open
   */
  open(call: SlotCall): void {
    const { streams, streamsPerPrincipal } = this.#limits;
    const { principal } = call;
    if (this.#counts.of(principal) >= streamsPerPrincipal) {
      const what = `${streamsPerPrincipal} streams of requests with your credentials are open`;
      throw this.#refusals.refusalOfCaller(what);
    }
    if (this.#open >= streams)
      throw this.#refusals.refusalOf(`${streams} streams of requests are open`);
    this.#count(principal, 1);
    call.onEnd(() => this.#count(principal, -1));
  }

  #count(principal: SlotCall["principal"], change: 1 | -1): void {
    this.#open += change;
    this.#counts.change(principal, change);
  }
}
