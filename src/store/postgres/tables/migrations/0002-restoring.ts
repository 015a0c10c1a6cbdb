import type { Migration } from "./migration.js";

/** Adds a column for the mark (`markOf`) of a restore that has begun and not ended. */
export const restoring: Migration = {
  format: 2,
  statements: ["alter table vademecum.vm_meta add column restoring text"],
  onCitus: [],
};
