import { setTimeout as pause } from "node:timers/promises";
import { fromJsonSchema, type JsonSchemaType, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { redPixel, said, silence, text } from "./samples.ts";

const image = { type: "image" as const, data: redPixel, mimeType: "image/png" };

/** Adds tools that return each kind of content, and tools that send messages while they run. */
export function addContentTools(server: McpServer): void {
  const tool = (name: string, run: (context: ServerContext) => object): void => {
    server.registerTool(name, { description: `Asked for by the suite: ${name}` }, async (context) => ({
      content: [],
      ...(await run(context)),
    }));
  };
  tool("test_simple_text", () => said("This is a simple text response for testing."));
  tool("test_image_content", () => ({ content: [image] }));
  tool("test_audio_content", () => ({ content: [{ type: "audio", data: silence, mimeType: "audio/wav" }] }));
  tool("test_embedded_resource", () => ({
    content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  }));
  tool("test_multiple_content_types", () => ({
    content: [
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource", "application/json", JSON.stringify({ test: "data", value: 123 })),
    ],
  }));
  tool("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  tool("test_tool_with_logging", async ({ mcpReq }) => {
    await mcpReq.log("info", "Tool execution started");
    await pause(50);
    await mcpReq.log("info", "Tool processing data");
    await pause(50);
    await mcpReq.log("info", "Tool execution completed");
    return said("Logged three times.");
  });
  tool("test_logging_tool", async ({ mcpReq }) => {
    await mcpReq.log("info", "Sent only to clients that asked for it");
    return said("Logged once.");
  });
  tool("test_tool_with_progress", progress);
  tool("test_reconnection", async ({ http }) => {
    await pause(100);
    http?.closeSSE?.();
    await pause(300);
    return said("Answered after the stream was closed.");
  });
}

const embedded = (uri: string, mimeType: string, words: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: words },
});

async function progress({ mcpReq }: ServerContext): Promise<object> {
  const progressToken = mcpReq._meta?.progressToken;
  for (const [index, progress] of [0, 50, 100].entries()) {
    if (index > 0) await pause(50);
    if (progressToken === undefined) continue;
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
  }
  return said("Progress was reported.");
}

/** Adds tools whose schemas the suite reads: one with JSON Schema 2020-12 keywords, one with a header parameter. */
export function addSchemaTools(server: McpServer): void {
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Tool with JSON Schema 2020-12 features", inputSchema: fromJsonSchema(schema2020) },
    async () => said("Taken."),
  );
  server.registerTool(
    "test_custom_headers",
    { description: "Its parameters are headers too", inputSchema: fromJsonSchema(headerSchema) },
    async (input) => said(JSON.stringify(input)),
  );
}

const schema2020: JsonSchemaType = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const region = { type: "string" as const, description: "Where to", "x-mcp-header": "Region" };

const headerSchema: JsonSchemaType = {
  type: "object",
  properties: {
    region,
    note: { type: "string" },
  },
};
