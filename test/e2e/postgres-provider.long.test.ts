import { protocols } from "./harness/protocols.js";
import { describeProvider } from "./harness/provider-suite.js";

describeProvider("postgres", protocols);
