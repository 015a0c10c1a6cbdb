export { Contract, type ContractOptions, type Subject } from "./contract.js";
export { findServer } from "./find-server.js";
export { type ReadmeRun, runReadme } from "./readme-program.js";
export { type Served, type ServeOptions, serveTests } from "./serve-tests.js";
export { TestServer } from "./test-server.js";
