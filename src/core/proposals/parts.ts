import type { MemoryServiceParts } from "../memories/parts.js";
import type { IdSource } from "../ports/clock.js";
import type { WakeUps } from "./wake-ups.js";

/** What the use cases of proposals need of the world. */
export interface ProposalServiceParts
  extends Pick<MemoryServiceParts, "store" | "index" | "embedders" | "tokens" | "clock" | "gate"> {
  readonly ids: IdSource;
  /** How long a proposal waits for a decision. */
  readonly lifetimeMs: number;
  readonly wakeUps: WakeUps;
}
