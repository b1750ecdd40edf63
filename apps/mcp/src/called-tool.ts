import { readOnlyTools } from "@kb/mcp-tools";
import { z } from "zod";

const ToolCall = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.string() }) });

/** Returns the name of the tool that a message calls; undefined for any other message and for a batch. */
export function calledTool(body: unknown): string | undefined {
  const call = ToolCall.safeParse(body);
  return call.success ? call.data.params.name : undefined;
}

/** Returns whether a message only calls one tool that changes nothing. */
export function callsReadOnlyTool(body: unknown): boolean {
  const tool = calledTool(body);
  return tool !== undefined && readOnlyTools.has(tool);
}
