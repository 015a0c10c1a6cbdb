/**
 * Whether writes that add data work. `disk_full`: the disk has no space for them. `read_only`:
 * PostgreSQL takes no writes.
 */
export type WritesState = "ok" | "disk_full" | "read_only";
