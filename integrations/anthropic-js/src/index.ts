export type { MemoryCommand } from "./memory-command.js";
export { type MemoryToolOptions, type Scope, VademecumMemoryTool } from "./memory-tool.js";
