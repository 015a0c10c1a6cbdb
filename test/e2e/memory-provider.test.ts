import { describeProvider } from "./harness/provider-suite.js";

describeProvider("memory");
