export type { OnError } from "vademecum-client/adapters";
export { type ProcessorOptions, VademecumProcessor } from "./vademecum-processor.js";
