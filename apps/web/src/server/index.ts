export { createWeb, type WebOptions } from "./app.ts";
export { ensureBuilt } from "./ensure-built.ts";
