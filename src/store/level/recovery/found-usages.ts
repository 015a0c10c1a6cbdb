import { type Scope, scopeMapKey, scopeOf } from "../../../core/model/namespace.js";
import type { Usage } from "../../../core/ports/usage.js";
import { noUsage } from "../../usage.js";
import type { FoundHead, OwnerTotals } from "./survey.js";

interface ScopeUsage {
  readonly scope: Scope;
  /** The usage in the head; `undefined` if the head is lost. */
  readonly expected: Usage | undefined;
  readonly found: Usage;
  /** Whether records of the scope are damaged, so that the sum cannot be right. */
  readonly isDamaged: boolean;
}

/** Compares the usage in the heads of scopes with the usage of the records that were found. */
export class FoundUsages {
  readonly #scopes = new Map<string, ScopeUsage>();

  /**
   * Adds a head and the totals of its readable records. Requires: the head of a scope is added
   * before the heads of its namespaces.
   */
  add(head: FoundHead, { tables, bytes }: Readonly<OwnerTotals>, isDamaged: boolean): void {
    const scope = head.kind === "scope" ? head.scope : scopeOf(head.namespace);
    const known = this.#scopes.get(scopeMapKey(scope));
    const sum = known?.found ?? noUsage;
    this.#scopes.set(scopeMapKey(scope), {
      scope,
      expected: head.kind === "scope" ? head.head.usage : known?.expected,
      found: {
        memories: sum.memories + (tables.get("memories")?.count ?? 0),
        bytes: sum.bytes + bytes,
      },
      isDamaged: isDamaged || known?.isDamaged === true,
    });
  }

  /** Returns the scopes whose count is wrong although their records are sound. */
  *differences(): Generator<{ readonly scope: Scope; readonly what: string }> {
    for (const { scope, expected, found, isDamaged } of this.#scopes.values()) {
      if (expected === undefined || isDamaged) continue;
      if (expected.memories === found.memories && expected.bytes === found.bytes) continue;
      yield {
        scope,
        what:
          `its head counts ${expected.memories} memories and ${expected.bytes} bytes, ` +
          `but its records have ${found.memories} and ${found.bytes}`,
      };
    }
  }
}
