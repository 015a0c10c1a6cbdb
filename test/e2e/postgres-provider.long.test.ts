import { nativeGrpc } from "./harness/protocols.js";
import { describeProvider } from "./harness/provider-suite.js";

// The store makes no difference to the protocols, which run over `level`.
describeProvider("postgres", [nativeGrpc]);
