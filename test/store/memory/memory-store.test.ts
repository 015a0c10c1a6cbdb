import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import { describeStore } from "../../contract/store.js";

describeStore("the in-process store", async () => createMemoryStore());
