export { addAll, type NewMemory } from "./add-all.js";
export { checkIds } from "./check-ids.js";
export { Failures, type OnError } from "./failures.js";
export { cutQuery, splitContent, splitText } from "./split-text.js";
