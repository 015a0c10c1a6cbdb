import { expect } from "vitest";
import type { NamespaceClient } from "../../e2e/harness/namespace-client.js";
import { chooseOperation, type Effect } from "./operations.js";
import { idIn, linesOf, type State, stateOf } from "./oracle.js";
import type { Random } from "./random.js";

/**
 * A client that writes to a namespace of its own, one request after another, and remembers the
 * acknowledged effects.
 */
export interface Worker {
  /** Sends requests until one is interrupted. Calls `acknowledge` for each reply. */
  work(memories: NamespaceClient, acknowledge: () => void): Promise<void>;
  /**
   * Compares the memories of the server with the acknowledged ones, repeats interrupted requests,
   * and compares again.
   */
  check(memories: NamespaceClient): Promise<void>;
}

/** Creates a worker whose names begin with `name`. */
export function createWorker(name: string, random: Random): Worker {
  let certain: State = new Map();
  let unknown: readonly Effect[] = [];
  let names = 0;
  const fresh = () => `${name}n${names++}`;
  return {
    async work(memories, acknowledge) {
      while (unknown.length === 0) {
        const outcome = await chooseOperation(random, certain, fresh)(memories);
        for (const { effect, idOf } of outcome.acknowledged) {
          certain = effect.applyTo(certain, idOf);
          acknowledge();
        }
        unknown = outcome.unknown;
        if (
          outcome.acknowledged.length === 0 &&
          unknown.length === 0 &&
          !(await isServing(memories))
        )
          return;
      }
    },
    async check(memories) {
      const found = stateOf(await memories.list({ includeSuperseded: true }));
      for (const effect of unknown.filter(({ isIn }) => isIn(found)))
        certain = effect.applyTo(certain, idIn(found));
      expect(linesOf(found)).toEqual(linesOf(certain));
      await repeatUnknown(memories, found);
      await expectSearchToAgree(memories, certain);
      unknown = [];
    },
  };

  /** Repeats interrupted idempotent requests. Each must then have happened exactly once. */
  async function repeatUnknown(memories: NamespaceClient, found: State): Promise<void> {
    const repeatable = unknown.filter(({ repeat }) => repeat !== undefined);
    for (const { repeat } of repeatable) await repeat?.(memories);
    const after = stateOf(await memories.list({ includeSuperseded: true }));
    for (const effect of repeatable.filter(({ isIn }) => !isIn(found)))
      certain = effect.applyTo(certain, idIn(after));
    expect(linesOf(after)).toEqual(linesOf(certain));
  }
}

async function isServing(memories: NamespaceClient): Promise<boolean> {
  try {
    await memories.page({ limit: 1 });
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks that Search finds what GetAll lists: all of it by an empty query, each by its own word.
 */
async function expectSearchToAgree(memories: NamespaceClient, state: State): Promise<void> {
  const { hits } = await memories.search("", { limit: 1000, includeSuperseded: true });
  expect(new Set(hits.map(({ memory }) => memory?.id))).toEqual(new Set(state.keys()));
  for (const [id, { content }] of [...state].slice(-10)) {
    const found = await memories.search(content, { limit: 1000, includeSuperseded: true });
    expect(found.hits[0]?.memory?.id).toBe(id);
  }
}
