export { type SessionOptions, VademecumSession } from "./session.js";
