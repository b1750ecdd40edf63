import { acceptedContent, completable, inputRequired, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Offer } from "../../src/index.ts";
import { addAskingTools } from "./asking-tools.ts";
import { addContentTools, addSchemaTools } from "./content-tools.ts";
import { addRoundTripTools, requestState } from "./round-trip-tools.ts";
import { redPixel, text } from "./samples.ts";

/** The tools and resources that the conformance suite requires, instead of the knowledge base. */
export const fixture: Offer = { server: fixtureServer, mayRead: async () => true };

function fixtureServer(): McpServer {
  const server = new McpServer(
    { name: "conformance-fixture", version: "1.0.0" },
    {
      capabilities: { tools: { listChanged: false }, prompts: { listChanged: false }, logging: {}, completions: {} },
      requestState: { verify: requestState.verify },
    },
  );
  addContentTools(server);
  addSchemaTools(server);
  addAskingTools(server);
  addRoundTripTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addResources(server: McpServer): void {
  const plain = { description: "Asked for by the suite", mimeType: "text/plain" };
  server.registerResource("static-text", "test://static-text", plain, async ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "This is the content of the static text resource." }],
  }));
  const picture = { description: "Asked for by the suite", mimeType: "image/png" };
  server.registerResource("static-binary", "test://static-binary", picture, async ({ href }) => ({
    contents: [{ uri: href, mimeType: "image/png", blob: redPixel }],
  }));
  server.registerResource("watched", "test://watched-resource", plain, async ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "Watched." }],
  }));
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "Asked for by the suite", mimeType: "application/json" },
    async ({ href }, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${String(id)}` };
      return { contents: [{ uri: href, mimeType: "application/json", text: JSON.stringify(data) }] };
    },
  );
}

const cities = ["paris", "park", "party"];

function addPrompts(server: McpServer): void {
  const description = "Asked for by the suite";
  const city = completable(z.string(), (value) => cities.filter((name) => name.startsWith(value)));
  server.registerPrompt("test_simple_prompt", { description }, async () => ({
    messages: [{ role: "user", content: text("This is a simple prompt for testing.") }],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description, argsSchema: z.object({ arg1: city, arg2: z.string() }) },
    async ({ arg1, arg2 }) => ({
      messages: [{ role: "user", content: text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) }],
    }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: "text/plain", text: "Embedded resource content for testing." };
      return {
        messages: [
          { role: "user", content: { type: "resource", resource } },
          { role: "user", content: text("Please process the embedded resource above.") },
        ],
      };
    },
  );
  server.registerPrompt("test_prompt_with_image", { description }, async () => ({
    messages: [
      { role: "user", content: { type: "image", data: redPixel, mimeType: "image/png" } },
      { role: "user", content: text("Please analyze the image above.") },
    ],
  }));
  server.registerPrompt("test_input_required_result_prompt", { description }, async ({ mcpReq }) => {
    const context = acceptedContent(mcpReq.inputResponses, "user_context")?.context;
    if (typeof context === "string")
      return { messages: [{ role: "user", content: text(`In the context ${context}`) }] };
    const requestedSchema = {
      type: "object" as const,
      properties: { context: { type: "string" as const } },
      required: ["context"],
    };
    const message = "What context should the prompt use?";
    return inputRequired({ inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema }) } });
  });
}
