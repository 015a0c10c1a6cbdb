import { describe, expect, test } from "vitest";
import { scopeOf } from "../../../src/core/model/namespace.js";
import type { Row } from "../../../src/core/ports/search-index.js";
import { sampleMemory } from "../sample-records.js";
import { type IndexContext, notes, putMemory, signal, tasks } from "./context.js";

export function describeReads(context: IndexContext): void {
  describe("a read", () => {
    test("a read of the index sees every commit that was acknowledged before the read", async () => {
      for (let i = 0; i < 30; i++) {
        const { head } = await context.store.update(scopeOf(notes), async (tx) =>
          putMemory(tx, notes, sampleMemory(`m${i}`, `entry number${i}`)),
        );
        expect(await context.found(notes, { text: `number${i}` })).toEqual([`m${i}`]);
        expect(await context.index.read(notes, signal, (opened) => opened.head)).toEqual(head);
      }
    });

    test("a read of the index sees changed contents, changed fields, new vectors and deletions", async () => {
      await context.add(notes, "a", "red", Float32Array.of(1, 0));
      await context.add(notes, "b", "red", Float32Array.of(1, 0));
      expect(await context.found(notes, { text: "red" })).toEqual(["a", "b"]);

      await context.add(notes, "a", "green", Float32Array.of(1, 0));
      expect(await context.found(notes, { text: "red" })).toEqual(["b"]);
      expect(await context.found(notes, { text: "green" })).toEqual(["a"]);

      await context.write(notes, (tx) =>
        putMemory(
          tx,
          notes,
          sampleMemory("a", "green", { version: 3, tags: ["x"] }),
          Float32Array.of(0, 1),
        ),
      );
      expect(
        (await context.hits(notes, { text: "", vector: Float32Array.of(0, 1) })).get("a")?.vector,
      ).toBeCloseTo(1, 4);
      await context.index.read(notes, signal, (opened) => {
        const { rows } = opened.candidates({ text: "green" });
        expect(opened.at((rows[0] ?? -1) as Row).memory).toMatchObject({ version: 3, tags: ["x"] });
      });

      await context.write(notes, (tx) => {
        tx.delete("memories", notes, "b");
        tx.delete("vectors", notes, "b");
      });
      expect(await context.found(notes, { text: "" })).toEqual(["a"]);
      expect(await context.found(notes, { text: "red", vector: Float32Array.of(1, 0) })).toEqual(
        [],
      );
    });

    test("a read of the index sees no memory of a cleared namespace, but sees later memories", async () => {
      await context.add(notes, "a", "red", Float32Array.of(1, 0));
      expect(await context.found(notes, { text: "red" })).toEqual(["a"]);
      await context.write(notes, (tx) => tx.clear(notes));
      expect(await context.found(notes, { text: "" })).toEqual([]);
      await context.write(notes, (tx) => {
        tx.clear(notes);
        putMemory(tx, notes, sampleMemory("b", "red"), Float32Array.of(1, 2, 3));
      });
      expect(await context.found(notes, { text: "red" })).toEqual(["b"]);
      expect(await context.index.read(notes, signal, (opened) => opened.profile?.dimension)).toBe(
        3,
      );
    });

    test("a read of the index sees commits that the change log has dropped", async () => {
      await context.add(notes, "first", "first");
      expect(await context.found(notes, { text: "first" })).toEqual(["first"]);
      await Promise.all(
        Array.from({ length: 5_000 }, (_, i) => context.add(notes, `m${i % 50}`, `entry${i}`)),
      );
      expect(await context.found(notes, { text: "entry4999" })).toEqual(["m49"]);
      expect((await context.found(notes, { text: "" })).length).toBe(51);
    });

    test("a read of the index finds the writes of every concurrent writer", async () => {
      const rounds = Array.from({ length: 40 }, async (_, i) => {
        const namespace = i % 2 === 0 ? notes : tasks;
        await context.add(namespace, `m${i}`, `entry${i}`, Float32Array.of(1, i));
        expect(await context.found(namespace, { text: `entry${i}` })).toEqual([`m${i}`]);
      });
      await Promise.all(rounds);
      expect((await context.found(notes, { text: "" })).length).toBe(20);
    });

    test("a read of the index rethrows an error of its callback, and later reads work", async () => {
      await context.add(notes, "a", "red");
      const failure = new Error("from the reader");
      await expect(
        context.index.read(notes, signal, () => {
          throw failure;
        }),
      ).rejects.toBe(failure);
      expect(await context.found(notes, { text: "red" })).toEqual(["a"]);
    });

    test("an aborted read of the index rejects with the reason, and other reads continue", async () => {
      await context.add(notes, "a", "red");
      const controller = new AbortController();
      const reason = new Error("no longer wanted");
      controller.abort(reason);
      const [aborted, wanted] = await Promise.allSettled([
        context.index.read(notes, controller.signal, () => "read"),
        context.index.read(notes, signal, (opened) => opened.candidates({ text: "red" }).count),
      ]);
      expect(aborted).toEqual({ status: "rejected", reason });
      expect(wanted).toEqual({ status: "fulfilled", value: 1 });
    });
  });
}
