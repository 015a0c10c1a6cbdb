export type { OnError } from "./failures.js";
export { type ProcessorOptions, VademecumProcessor } from "./vademecum-processor.js";
