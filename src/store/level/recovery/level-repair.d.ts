import "level";

declare module "level" {
  /**
   * On Node, `Level` has a static function `repair`. The types of `level` leave it out, because
   * they also describe the version for browsers.
   */
  namespace Level {
    /** Rebuilds the LevelDB of a folder from the table files and logs that can be read. */
    function repair(location: string): Promise<void>;
  }
}
