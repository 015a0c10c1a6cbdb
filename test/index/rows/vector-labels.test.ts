import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Row } from "../../../src/core/ports/search-index.js";
import { type Label, VectorLabels } from "../../../src/index/rows/vector-labels.js";

function labelOf(labels: VectorLabels, row: number): number | undefined {
  for (let label = 0; label < labels.next; label++)
    if ([...labels.rowsOf(label as Label)].includes(row as Row)) return label;
  return undefined;
}

describe("labels of vectors", () => {
  test("labels of vectors are numbered in the order of appearance, and equal vectors share one label", () => {
    const labels = new VectorLabels();
    for (const [row, fingerprint] of [500, 7, 500, undefined, 7, 9].entries())
      labels.set(row as Row, fingerprint);
    expect([0, 1, 2, 3, 4, 5].map((row) => labelOf(labels, row))).toEqual([
      0,
      1,
      0,
      undefined,
      1,
      2,
    ]);
    expect([labels.next, labels.count]).toEqual([3, 3]);
  });

  test("the label of a vector is dropped with the last row that has it, and is never reused", () => {
    const labels = new VectorLabels();
    for (const [row, fingerprint] of [5, 5, 6].entries()) labels.set(row as Row, fingerprint);
    labels.set(0 as Row, undefined);
    expect(labels.takeDropped()).toEqual([]);
    labels.set(1 as Row, 8);
    expect(labels.takeDropped()).toEqual([0]);
    expect(labels.takeDropped()).toEqual([]);
    labels.set(3 as Row, 5);
    expect([1, 2, 3].map((row) => labelOf(labels, row))).toEqual([2, 1, 3]);
  });

  test("the label of a vector stays when its row gets the same vector again", () => {
    const labels = new VectorLabels();
    labels.set(4 as Row, 5);
    labels.set(4 as Row, 5);
    expect([labels.next, ...labels.takeDropped()]).toEqual([1]);
  });

  test("rows get the labels that a saved graph has for their vectors, and unused labels are dropped", () => {
    const before = new VectorLabels();
    for (const [row, fingerprint] of [10, 11, 12, 13].entries())
      before.set(row as Row, fingerprint);
    before.set(1 as Row, undefined);
    const saved = { next: before.next, ...before.below(before.next) };
    expect(saved.labels).toEqual(Uint32Array.of(0, 2, 3));

    const labels = new VectorLabels(saved);
    for (const [row, fingerprint] of [99, 13, 10].entries()) labels.set(row as Row, fingerprint);
    expect(labels.takeDropped()).toEqual([]);
    labels.dropUnused();
    expect(labels.takeDropped()).toEqual([2]);
    expect([0, 1, 2].map((row) => labelOf(labels, row))).toEqual([4, 3, 0]);
  });

  test("labels below a limit are returned with the fingerprints of their vectors, except dropped labels", () => {
    const labels = new VectorLabels();
    for (const [row, fingerprint] of [5, 6, 7, 8].entries()) labels.set(row as Row, fingerprint);
    labels.set(0 as Row, undefined);
    expect(labels.below(3)).toEqual({
      labels: Uint32Array.of(1, 2),
      fingerprints: Float64Array.of(6, 7),
    });
  });

  test("labels of vectors stay correct after any changes and renumberings of rows", () => {
    const change = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.tuple(
          fc.nat({ max: 200 }),
          fc.option(fc.nat({ max: 6 }), { nil: undefined }),
        ),
      },
      { weight: 1, arbitrary: fc.constant("compact" as const) },
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const labels = new VectorLabels();
        let model = new Map<number, number>();
        const seen = new Map<number, number>();
        const dropped = new Set<number>();
        for (const action of changes) {
          if (action === "compact") {
            const kept = [...model.keys()].sort((a, b) => a - b);
            labels.compact(Int32Array.from(kept));
            model = new Map(kept.map((from, to) => [to, model.get(from) ?? -1]));
          } else {
            const [row, fingerprint] = action;
            labels.set(row as Row, fingerprint);
            if (fingerprint === undefined) model.delete(row);
            else model.set(row, fingerprint);
          }
          for (const label of labels.takeDropped()) dropped.add(label);
          const byLabel = Array.from({ length: labels.next }, (_, label) => [
            ...labels.rowsOf(label as Label),
          ]);
          for (const [label, rows] of byLabel.entries()) {
            expect(rows.length === 0, "dropped when no row has it").toBe(dropped.has(label));
            const fingerprints = new Set(rows.map((row) => model.get(row)));
            expect(fingerprints.size).toBe(rows.length === 0 ? 0 : 1);
            for (const fingerprint of fingerprints) {
              expect(seen.get(label) ?? fingerprint, "always stands for the same vector").toBe(
                fingerprint,
              );
              seen.set(label, fingerprint ?? -1);
            }
          }
          expect(byLabel.flat().sort((a, b) => a - b)).toEqual(
            [...model.keys()].sort((a, b) => a - b),
          );
          expect(labels.count).toBe(new Set(model.values()).size);
        }
      }),
    );
  });
});
