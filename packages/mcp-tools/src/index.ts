export { instructions } from "./instructions.ts";
export { createMcpServer, type McpServerOptions } from "./server.ts";
export { toolNames } from "./table.ts";
export type { Caller } from "./tool.ts";
