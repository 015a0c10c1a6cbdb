import type { MemoryTest } from "../harness/memory-test.js";
import { addCases } from "./add.js";
import { agentCases } from "./agents.js";
import { batchCases } from "./batches.js";
import { budgetCases } from "./budgets.js";
import { contextCases } from "./context.js";
import { contextOutlineCases } from "./context-outline.js";
import { countCases } from "./count.js";
import { deleteCases } from "./delete.js";
import { expiryCases } from "./expiry.js";
import { explainCases } from "./explain.js";
import { externalIdCases } from "./external-ids.js";
import { filterCases } from "./filter.js";
import { idempotencyCases } from "./idempotency.js";
import { listCases } from "./list.js";
import { manyCases } from "./many.js";
import { nextHitCases } from "./next-hits.js";
import { rankingCases } from "./ranking.js";
import { recallCases } from "./recall.js";
import { searchCases } from "./search.js";
import { spellingCases } from "./spelling.js";
import { supersessionCases } from "./supersession.js";
import { threadCases } from "./threads.js";
import { traceCases } from "./traces.js";
import { unicodeCases } from "./unicode.js";
import { updateCases } from "./update.js";
import { vectorCases } from "./vectors.js";
import { versionCases } from "./versions.js";
import { watchCases } from "./watch.js";

/** The contract of the memory provider, for every store and protocol. */
export function providerCases(it: MemoryTest): void {
  addCases(it);
  traceCases(it);
  searchCases(it);
  budgetCases(it);
  rankingCases(it);
  spellingCases(it);
  explainCases(it);
  recallCases(it);
  listCases(it);
  countCases(it);
  threadCases(it);
  contextCases(it);
  contextOutlineCases(it);
  filterCases(it);
  updateCases(it);
  versionCases(it);
  watchCases(it);
  supersessionCases(it);
  expiryCases(it);
  deleteCases(it);
  externalIdCases(it);
  manyCases(it);
  agentCases(it);
  nextHitCases(it);
  idempotencyCases(it);
  vectorCases(it);
  unicodeCases(it);
}

/** The part of the contract that needs bidirectional streams. */
export function duplexProviderCases(it: MemoryTest): void {
  batchCases(it);
}
