import { render } from "preact";
import { App } from "./app.js";
import { findKey } from "./key.js";
import { followTabTitle } from "./tab-title.js";

const root = document.querySelector("#app");
if (root === null) throw new Error("the page has no element for the app");
await findKey();
followTabTitle();
render(<App />, root);
