export { createMcp, type Mcp, type McpOptions } from "./app.ts";
export type { Offer } from "./offer.ts";
