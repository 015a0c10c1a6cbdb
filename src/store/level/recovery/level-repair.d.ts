import "level";

declare module "level" {
  /** What the types of `level` leave out: browsers have no files to repair. */
  namespace Level {
    /** Rebuilds the LevelDB of a folder from the tables and logs that can be read. */
    function repair(location: string): Promise<void>;
  }
}
