import type { Migration } from "./migration.js";

/** The mark of the restore into the database that has begun and not ended (`markOf`). */
export const restoring: Migration = {
  format: 2,
  statements: ["alter table vademecum.vm_meta add column restoring text"],
  onCitus: [],
};
