import { expect, it } from "vitest";
import { bySuite } from "../suite.js";
import { runModel } from "./scenarios/model.js";

const operations = bySuite({ quick: 60, full: 600 });
const seed = bySuite({ quick: 1, full: 1 + (Date.now() % 1_000_000) });

it(`a server replies to random calls as a model does, even across restarts and kills (npm run faults -- model --seed ${seed} --operations ${operations})`, async () => {
  const tally = await runModel({ seed, operations, report: () => undefined });
  expect(tally.described).toEqual([]);
  expect(tally.of("operations")).toBeGreaterThanOrEqual(operations);
});
