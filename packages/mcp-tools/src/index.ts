export { callReadOnlyTool } from "./call-tool.ts";
export { createMcpServer, type McpServerOptions, serverInfo } from "./create-mcp-server.ts";
export { instructions } from "./instructions.ts";
export { readOnlyTools, toolNames } from "./table.ts";
export type { Caller, SendFile } from "./tool.ts";
