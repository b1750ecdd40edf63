export { createMcp, type Mcp, type McpOptions, mcpPaths } from "./app.ts";
export type { Offer } from "./offer.ts";
