export { hashOf } from "../hash-of.js";
export { addAll, type NewMemory } from "./add-all.js";
export { appendAll, type NewTurn } from "./append-all.js";
export { checkIds } from "./check-ids.js";
export { Failures, type OnError } from "./failures.js";
export { notesHeading, sectionsFor } from "./notes.js";
export { cutQuery, splitContent, splitText } from "./split-text.js";
