export { type MemoryServiceOptions, VademecumMemoryService } from "./memory-service.js";
