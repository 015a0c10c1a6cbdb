import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { describeStore } from "../../contract/store.js";

describeStore("the in-memory store", async () => createInMemoryStore());
