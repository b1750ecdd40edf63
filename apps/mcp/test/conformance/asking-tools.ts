import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { said } from "./samples.ts";

type ElicitationForm = Extract<Parameters<ServerContext["mcpReq"]["elicitInput"]>[0], { requestedSchema: unknown }>;

/** Adds tools that send requests to the client while they run, as the revisions with sessions allow. */
export function addAskingTools(server: McpServer): void {
  server.registerTool(
    "test_sampling",
    { description: "Asks the client's model", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: prompt } }];
      const answer = await mcpReq.requestSampling({ messages, maxTokens: 100 });
      const [content] = [answer.content].flat();
      return said(`LLM response: ${content?.type === "text" ? content.text : ""}`);
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "Asks the user", inputSchema: z.object({ message: z.string() }) },
    async ({ message }, context) =>
      elicitReply(context, "User response: <action: {action}, content: {content}>", {
        message,
        requestedSchema: account,
      }),
  );
  const completed = "Elicitation completed: action={action}, content={content}";
  const addElicitationTool = (name: string, requestedSchema: ElicitationForm["requestedSchema"]) =>
    server.registerTool(name, { description: "Asks the user" }, (context) =>
      elicitReply(context, completed, { message: "Please fill this in", requestedSchema }),
    );
  addElicitationTool("test_elicitation_sep1034_defaults", defaults);
  addElicitationTool("test_elicitation_sep1330_enums", enums);
}

async function elicitReply({ mcpReq }: ServerContext, reply: string, form: ElicitationForm) {
  const { action, content } = await mcpReq.elicitInput(form);
  return said(reply.replace("{action}", action).replace("{content}", JSON.stringify(content ?? {})));
}

const account = {
  type: "object" as const,
  properties: {
    username: { type: "string" as const, description: "User's response" },
    email: { type: "string" as const, description: "User's email address" },
  },
  required: ["username", "email"],
};

const defaults = {
  type: "object" as const,
  properties: {
    name: { type: "string" as const, default: "John Doe" },
    age: { type: "integer" as const, default: 30 },
    score: { type: "number" as const, default: 95.5 },
    status: { type: "string" as const, enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean" as const, default: true },
  },
};

const titled = (names: readonly string[]) => names.map((title, index) => ({ const: `value${index + 1}`, title }));

const enums = {
  type: "object" as const,
  properties: {
    untitledSingle: { type: "string" as const, enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string" as const, oneOf: titled(["First Option", "Second Option", "Third Option"]) },
    legacyEnum: {
      type: "string" as const,
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: {
      type: "array" as const,
      items: { type: "string" as const, enum: ["option1", "option2", "option3"] },
    },
    titledMulti: {
      type: "array" as const,
      items: { anyOf: titled(["First Choice", "Second Choice", "Third Choice"]) },
    },
  },
};
