import { describe, expect, it } from "vitest";
import type { Namespace, Scope } from "../../../src/core/model/namespace.js";
import type { NamespaceTables, ScopeTables } from "../../../src/core/ports/store.js";
import { namespaceRecords, sampleMemory, scopeRecords } from "../sample-records.js";
import { collect, keysOf, kim, notes, type StoreContext } from "./context.js";

export function describeRecords(context: StoreContext): void {
  describe("records", () => {
    it("a record is read as it was put, in every table", async () => {
      const inNamespace = Object.entries(namespaceRecords) as [keyof NamespaceTables, never][];
      const inScope = Object.entries(scopeRecords) as [keyof ScopeTables, never][];
      const plain = sampleMemory("m2", "plain");
      await context.store.update(kim, async (tx) => {
        for (const [table, record] of inNamespace) tx.put(table, notes, "k", record);
        for (const [table, record] of inScope) tx.put(table, kim, "k", record);
        tx.put("memories", notes, "m2", plain);
      });
      await context.read(kim, async (snapshot) => {
        for (const [table, record] of inNamespace)
          expect(await snapshot.get(table, notes, "k")).toStrictEqual(record);
        for (const [table, record] of inScope)
          expect(await snapshot.get(table, kim, "k")).toStrictEqual(record);
        expect(await collect(snapshot.scan("memories", notes))).toStrictEqual([
          ["k", namespaceRecords.memories],
          ["m2", plain],
        ]);
      });
    });

    it("records survive a compaction, and deleted records stay deleted", async () => {
      await context.store.update(kim, async (tx) => {
        for (const id of ["m1", "m2"]) tx.put("memories", notes, id, sampleMemory(id, id));
      });
      await context.store.update(kim, async (tx) => tx.delete("memories", notes, "m1"));
      await context.store.compact();
      await context.read(kim, async (snapshot) => {
        expect(await keysOf(snapshot, "memories", notes)).toEqual(["m2"]);
        expect(await snapshot.get("memories", notes, "m2")).toStrictEqual(sampleMemory("m2", "m2"));
      });
    });

    it("a record that was never put is absent", async () => {
      await context.read(kim, async (snapshot) => {
        expect(await snapshot.get("memories", notes, "m1")).toBeUndefined();
        expect(await keysOf(snapshot, "memories", notes)).toEqual([]);
        expect(await snapshot.count("memories", notes)).toBe(0);
        expect(snapshot.head.seq).toBe(0);
      });
    });

    it("records can belong to the scope of a run or of the server", async () => {
      const scopes: Scope[] = [{ kind: "run", runId: "kim" }, { kind: "server" }, kim];
      for (const scope of scopes)
        await context.store.update(scope, async (tx) =>
          tx.put("replyExpiries", scope, scope.kind, scope.kind),
        );
      for (const scope of scopes)
        expect(
          await context.read(scope, (snapshot) => keysOf(snapshot, "replyExpiries", scope)),
        ).toEqual([scope.kind]);
    });

    it("records of two namespaces stay apart even if their joined user and agent ids are equal", async () => {
      const names = [
        "a",
        "b",
        "a/b",
        "b/c",
        "a/b/c",
        "c",
        "",
        "\0",
        "a\0",
        "\0a",
        "a\u{1F9E0}",
        "u",
        "ua",
      ];
      const namespaces = names.flatMap((userId) => names.map((agentId) => ({ userId, agentId })));
      await Promise.all(
        namespaces.map((namespace) =>
          context.putKeys(namespace, ...names, `${namespace.userId}|${namespace.agentId}`),
        ),
      );
      for (const namespace of namespaces) {
        await context.read({ kind: "user", userId: namespace.userId }, async (snapshot) => {
          const expected = [...names, `${namespace.userId}|${namespace.agentId}`];
          expect(new Set(await keysOf(snapshot, "timeline", namespace))).toEqual(new Set(expected));
          expect(await snapshot.count("timeline", namespace)).toBe(new Set(expected).size);
        });
      }
      expect(await collect(context.store.namespaces())).toHaveLength(namespaces.length);
    });

    it("a transaction or snapshot cannot reach records of another scope", async () => {
      const foreign: Namespace = { userId: "lee", agentId: "notes" };
      await expect(
        context.store.update(kim, async (tx) => tx.put("timeline", foreign, "k", null)),
      ).rejects.toThrow("another scope");
      await expect(context.store.update(kim, async (tx) => tx.clear(foreign))).rejects.toThrow(
        "another scope",
      );
      await expect(
        context.store.update(kim, (tx) => tx.get("replies", { kind: "run", runId: "kim" }, "k")),
      ).rejects.toThrow("another scope");
      await expect(
        context.read(kim, (snapshot) => snapshot.get("timeline", foreign, "k")),
      ).rejects.toThrow("another scope");
    });
  });

  describe("scan", () => {
    // Sorted by UTF-8 bytes. In the order of UTF-16 code units, the last two keys would come before
    // U+E000 and U+FFFF.
    const ordered = [
      "",
      "\0",
      "\0\0",
      "/",
      "A",
      "a",
      "a\0",
      "a/b",
      "ab",
      "é",
      "\u{D7FF}",
      "\u{E000}",
      "\u{FFFF}",
      "\u{10000}",
      "\u{10FFFF}",
    ];

    it("a scan sorts by UTF-8 bytes in both directions", async () => {
      await context.putKeys(notes, ...ordered.toReversed());
      await context.read(kim, async (snapshot) => {
        expect(await keysOf(snapshot, "timeline", notes)).toEqual(ordered);
        expect(await keysOf(snapshot, "timeline", notes, { reverse: true })).toEqual(
          ordered.toReversed(),
        );
      });
    });

    it("a scan can start after a key, whether or not a record has that key", async () => {
      const present = ordered.filter((_, index) => index % 2 === 0);
      await context.putKeys(notes, ...present);
      await context.read(kim, async (snapshot) => {
        for (const [index, after] of ordered.entries()) {
          const greater = present.filter((key) => ordered.indexOf(key) > index);
          const smaller = present.filter((key) => ordered.indexOf(key) < index);
          expect(await keysOf(snapshot, "timeline", notes, { after })).toEqual(greater);
          expect(await keysOf(snapshot, "timeline", notes, { after, reverse: true })).toEqual(
            smaller.toReversed(),
          );
        }
      });
    });

    it("a scan in a transaction includes the transaction's own writes and deletions, in key order", async () => {
      await context.putKeys(notes, "a", "c", "e");
      await context.store.update(kim, async (tx) => {
        tx.put("timeline", notes, "b", null);
        tx.delete("timeline", notes, "c");
        tx.put("timeline", notes, "f", null);
        expect(await keysOf(tx, "timeline", notes)).toEqual(["a", "b", "e", "f"]);
        expect(await keysOf(tx, "timeline", notes, { reverse: true })).toEqual([
          "f",
          "e",
          "b",
          "a",
        ]);
        expect(await keysOf(tx, "timeline", notes, { after: "a" })).toEqual(["b", "e", "f"]);
        expect(await keysOf(tx, "timeline", notes, { after: "f", reverse: true })).toEqual([
          "e",
          "b",
          "a",
        ]);
      });
    });

    it("a scan ignores later writes of its transaction, and may stop early", async () => {
      await context.putKeys(notes, "a", "b", "c");
      const seen: string[] = [];
      await context.store.update(kim, async (tx) => {
        for await (const [key] of tx.scan("timeline", notes)) {
          seen.push(key);
          tx.delete("timeline", notes, key);
          tx.put("timeline", notes, `${key}${key}`, null);
          if (key === "b") break;
        }
      });
      expect(seen).toEqual(["a", "b"]);
      expect(await context.read(kim, (snapshot) => keysOf(snapshot, "timeline", notes))).toEqual([
        "aa",
        "bb",
        "c",
      ]);
    });

    it("a scan of 5,000 records returns all of them in order", async () => {
      const keys = Array.from({ length: 5000 }, (_, index) => String(index).padStart(4, "0"));
      await context.putKeys(notes, ...keys);
      await context.read(kim, async (snapshot) => {
        expect(await keysOf(snapshot, "timeline", notes)).toEqual(keys);
        expect(await keysOf(snapshot, "timeline", notes, { after: "2499", reverse: true })).toEqual(
          keys.slice(0, 2499).toReversed(),
        );
      });
    });
  });
}
