export { VademecumStore, type VademecumStoreOptions } from "./vademecum-store.js";
