import { asServiceError, CallerChangedError } from "@kb/core";
import { metered } from "@kb/telemetry";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { readOnlyTools, tools } from "./table.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { toolError } from "./tool-error.ts";

/** Receives each defect and the tool or resource in which it occurred. */
export type OnDefect = (error: unknown, what: string) => void;

/** Runs a tool. Errors are results that the assistant can read. */
export async function callTool(
  tool: Tool,
  context: () => ToolContext | Promise<ToolContext>,
  raw: unknown,
  onDefect: OnDefect,
): Promise<CallToolResult> {
  try {
    return resultOf(await tool.run(await context(), raw));
  } catch (thrown) {
    const error = asServiceError(thrown);
    if (error.code === "internal_error" && !(thrown instanceof CallerChangedError)) onDefect(thrown, tool.name);
    return toolError(error);
  }
}

/** Returns the same content as an object and as text, because clients show one or the other. */
function resultOf(structuredContent: Record<string, unknown>): CallToolResult {
  const text = metered(() => JSON.stringify(structuredContent));
  return { structuredContent, content: [{ type: "text", text }] };
}

/**
 * Runs a tool that only reads, by its name, without a server. Returns undefined for any other tool, and if the answer is not
 * what the tool promises, which a server reports.
 */
export async function callReadOnlyTool(
  name: string,
  context: ToolContext,
  raw: unknown,
  onDefect: OnDefect,
): Promise<CallToolResult | undefined> {
  const tool = readOnlyTools.has(name) ? tools.find((one) => one.name === name) : undefined;
  if (tool === undefined) return undefined;
  const result = await callTool(tool, () => context, raw, onDefect);
  if (result.isError === true) return result;
  return metered(() => tool.output.safeParse(result.structuredContent)).success ? result : undefined;
}
