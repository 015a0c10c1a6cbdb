import { nativeGrpc } from "./harness/protocols.js";
import { describeProvider } from "./harness/provider-suite.js";

// One protocol is enough: the cases of `level` run over all protocols, and protocols behave the
// same over every store.
describeProvider("memory", [nativeGrpc]);
