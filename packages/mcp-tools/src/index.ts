export { instructions } from "./instructions.ts";
export { createMcpServer, type McpServerOptions } from "./server.ts";
export type { Caller } from "./tool.ts";
