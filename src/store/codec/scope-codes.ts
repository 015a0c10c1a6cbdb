import type { Scope } from "../../core/model/namespace.js";

/** The byte of each kind of scope. On disk: never change or reuse one. */
export const scopeCodes = { user: 0x01, run: 0x02, server: 0x03 } as const satisfies Record<
  Scope["kind"],
  number
>;
