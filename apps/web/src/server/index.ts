export { createWeb, type WebOptions, webPaths } from "./app.ts";
export { ensureBuilt } from "./ensure-built.ts";
