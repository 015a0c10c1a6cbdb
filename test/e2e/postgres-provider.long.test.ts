import { nativeGrpc } from "./harness/protocols.js";
import { describeProvider } from "./harness/provider-suite.js";

// Protocols behave the same over every store. The cases of `level` run over all protocols.
describeProvider("postgres", [nativeGrpc]);
