import { type Namespace, namespaceIn, type Scope } from "../../../core/model/namespace.js";
import type { Table } from "../../../core/ports/store.js";
import { scopeCodes } from "../../codec/scope-codes.js";
import { tableOfCode } from "../../codec/table-codes.js";
import { agentNamespace, kinds, tenantCode, wholeScope } from "./keys.js";

/** The content of a key. */
export type ParsedKey =
  | { readonly kind: "meta" }
  | { readonly kind: "mark"; readonly group: number }
  | { readonly kind: "scopeHead"; readonly scope: Scope }
  | { readonly kind: "namespaceHead"; readonly namespace: Namespace }
  | {
      /** A note that names a place whose records are to be removed. */
      readonly kind: "sweep";
      readonly scope: Scope;
      /** The agent of a namespace; `undefined`: the records of the whole scope. */
      readonly agentId: string | undefined;
      readonly place: number;
    }
  | {
      readonly kind: "scopeRecord";
      readonly scope: Scope;
      readonly place: number;
      readonly table: Table;
      readonly key: string;
    }
  | {
      readonly kind: "namespaceRecord";
      readonly namespace: Namespace;
      readonly place: number;
      readonly table: Table;
      readonly key: string;
    }
  | { readonly kind: "change"; readonly scope: Scope; readonly seq: number };

/** Returns the content of a key; `undefined` if the bytes are not a key of this layout. */
export function parseKey(key: Buffer): ParsedKey | undefined {
  try {
    return new KeyReader(key).parse();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Reads the parts of a key one after another. Throws RangeError when the key is cut short or
 * malformed.
 */
class KeyReader {
  #offset = 0;

  constructor(readonly key: Buffer) {}

  parse(): ParsedKey {
    const kind = this.#byte();
    switch (kind) {
      case kinds.meta:
        return this.#requireEnd({ kind: "meta" });
      case kinds.mark:
        return this.#requireEnd({ kind: "mark", group: this.#u64() });
      case kinds.head:
        return this.#head();
      case kinds.sweep:
        return this.#sweep();
      case kinds.record:
        return this.#record();
      case kinds.change:
        return this.#requireEnd({ kind: "change", scope: this.#scope(), seq: this.#u64() });
      default:
        throw new RangeError("unknown kind");
    }
  }

  #head(): ParsedKey {
    const scope = this.#scope();
    if (this.key[this.#offset] !== wholeScope)
      return this.#requireEnd({ kind: "namespaceHead", namespace: this.#namespace(scope) });
    this.#offset++;
    return this.#requireEnd({ kind: "scopeHead", scope });
  }

  #sweep(): ParsedKey {
    const scope = this.#scope();
    if (this.key[this.#offset] === wholeScope) {
      this.#offset++;
      const place = this.#u32();
      return this.#requireEnd({ kind: "sweep", scope, agentId: undefined, place });
    }
    const { agentId } = this.#namespace(scope);
    return this.#requireEnd({ kind: "sweep", scope, agentId, place: this.#u32() });
  }

  #record(): ParsedKey {
    const scope = this.#scope();
    if (this.key[this.#offset] !== wholeScope) {
      const namespace = this.#namespace(scope);
      return {
        kind: "namespaceRecord",
        namespace,
        place: this.#u32(),
        table: this.#table(),
        key: this.#rest(),
      };
    }
    this.#offset++;
    return {
      kind: "scopeRecord",
      scope,
      place: this.#u32(),
      table: this.#table(),
      key: this.#rest(),
    };
  }

  #scope(): Scope {
    if (this.key[this.#offset] !== tenantCode) return this.#ownScope();
    this.#offset++;
    const tenant = this.#text(this.#u16());
    return { ...this.#ownScope(), tenant };
  }

  #ownScope(): Scope {
    const code = this.#byte();
    const id = this.#text(this.#u16());
    switch (code) {
      case scopeCodes.user:
        return { kind: "user", userId: id };
      case scopeCodes.run:
        return { kind: "run", runId: id };
      case scopeCodes.server:
        return { kind: "server" };
      default:
        throw new RangeError("unknown scope");
    }
  }

  #namespace(scope: Scope): Namespace {
    if (this.#byte() !== agentNamespace || scope.kind !== "user")
      throw new RangeError("no namespace");
    return namespaceIn(scope, this.#text(this.#u16()));
  }

  #table(): Table {
    const table = tableOfCode(this.#byte());
    if (table === undefined) throw new RangeError("unknown table");
    return table;
  }

  #text(length: number): string {
    const end = this.#offset + length;
    if (end > this.key.length) throw new RangeError("cut short");
    const text = this.key.toString("utf8", this.#offset, end);
    this.#offset = end;
    return text;
  }

  #rest(): string {
    return this.#text(this.key.length - this.#offset);
  }

  #byte(): number {
    return this.key.readUInt8(this.#offset++);
  }

  #u16(): number {
    this.#offset += 2;
    return this.key.readUInt16BE(this.#offset - 2);
  }

  #u32(): number {
    this.#offset += 4;
    return this.key.readUInt32BE(this.#offset - 4);
  }

  #u64(): number {
    this.#offset += 8;
    return Number(this.key.readBigUInt64BE(this.#offset - 8));
  }

  #requireEnd<T>(parsed: T): T {
    if (this.#offset !== this.key.length) throw new RangeError("too long");
    return parsed;
  }
}
