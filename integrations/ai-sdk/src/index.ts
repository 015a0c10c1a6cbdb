export type { Conversation, Scope } from "./scope.js";
export { type ToolOptions, vademecumTools } from "./vademecum-tools.js";
export { type MemoryOptions, withVademecum } from "./with-vademecum.js";
