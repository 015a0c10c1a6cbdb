export { Contract, type ContractOptions, type Subject } from "./contract.js";
export { type ReadmeRun, runReadme } from "./readme-program.js";
export { main, TestServer } from "./test-server.js";
