export { type StoreOptions, VademecumMemoryStore } from "./memory-store.js";
