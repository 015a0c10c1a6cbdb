import type { Migration } from "./migration.js";

/** Names the backup that is being restored into the database. */
export const restoring: Migration = {
  format: 2,
  statements: ["alter table vademecum.vm_meta add column restoring text"],
  onCitus: [],
};
