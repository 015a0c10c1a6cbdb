import { nativeGrpc } from "./harness/protocols.js";
import { describeProvider } from "./harness/provider-suite.js";

// Which store it is makes no difference to a protocol: those run over `level`.
describeProvider("memory", [nativeGrpc]);
