import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/server-settings.js";
import type { Log } from "../core/ports/log.js";
import type { Store } from "../core/ports/store.js";
import { ImageFiles } from "../index/image/image-files.js";

/**
 * Returns the images of indexes in the data folder. Returns `undefined` if the settings turn images
 * off, or if the store is not LevelDB: only with LevelDB does this server make all deletions, so
 * that it can delete the images first.
 */
export function createImages(config: Config, log: Log): ImageFiles | undefined {
  const isOn = config.provider === "level" && config.images !== "off";
  const nowMs = () => performance.now();
  return isOn ? new ImageFiles(imageFolder(config), log, nowMs) : undefined;
}

/**
 * Deletes the images that may hold deleted texts; all images if images are off. Leaves the folder
 * alone if the store is not LevelDB: another server may use it. Requires: the store is open, and no
 * call is served yet.
 */
export async function sweepImages(
  images: ImageFiles | undefined,
  config: Config,
  store: Store,
): Promise<void> {
  if (config.provider !== "level") return;
  if (images === undefined) rmSync(imageFolder(config), { recursive: true, force: true });
  else await images.sweep(store);
}

function imageFolder({ dataFolder }: Config): string {
  return join(dataFolder, "images");
}
