export { createMcpServer, type McpServerOptions } from "./create-mcp-server.ts";
export { instructions } from "./instructions.ts";
export { readOnlyTools, toolNames } from "./table.ts";
export type { Caller } from "./tool.ts";
