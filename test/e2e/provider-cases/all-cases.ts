import type { MemoryTest } from "../harness/memory-test.js";
import { addingCases } from "./adding.js";
import { batchCases } from "./batches.js";
import { budgetCases } from "./budgets.js";
import { deletingCases } from "./deleting.js";
import { expiringCases } from "./expiring.js";
import { explainingCases } from "./explaining.js";
import { filteringCases } from "./filtering.js";
import { listingCases } from "./listing.js";
import { rankingCases } from "./ranking.js";
import { recallingCases } from "./recalling.js";
import { repeatingCases } from "./repeating.js";
import { searchingCases } from "./searching.js";
import { supersedingCases } from "./superseding.js";
import { traceCases } from "./traces.js";
import { unicodeCases } from "./unicode.js";
import { updatingCases } from "./updating.js";
import { vectorCases } from "./vectors.js";

/** The contract of the memory provider: what holds on every store and over every protocol. */
export function providerCases(it: MemoryTest): void {
  addingCases(it);
  traceCases(it);
  searchingCases(it);
  budgetCases(it);
  rankingCases(it);
  explainingCases(it);
  recallingCases(it);
  listingCases(it);
  filteringCases(it);
  updatingCases(it);
  supersedingCases(it);
  expiringCases(it);
  deletingCases(it);
  repeatingCases(it);
  vectorCases(it);
  unicodeCases(it);
}

/** The part of the contract that needs a protocol in which both sides stream at once. */
export function duplexProviderCases(it: MemoryTest): void {
  batchCases(it);
}
