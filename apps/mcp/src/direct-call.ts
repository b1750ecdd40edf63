import { metered } from "@kb/telemetry";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** A message that only calls a tool, with nothing that the SDK would have to interpret but its metadata. */
export type ToolCall = {
  readonly id: string | number;
  readonly tool: string;
  readonly input: object;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
};

/** Reads such a message; undefined for any other, which the SDK answers. */
export function toolCallOf(body: unknown): ToolCall | undefined {
  if (!isObject(body) || !hasOnly(body, ["jsonrpc", "id", "method", "params"])) return undefined;
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isObject(params)) return undefined;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  if (!hasOnly(params, ["name", "arguments", "_meta"])) return undefined;
  const { name, arguments: input = {}, _meta: meta } = params;
  if (typeof name !== "string" || !isObject(input) || (meta !== undefined && !isObject(meta))) return undefined;
  if (Object.hasOwn(input, "__proto__")) return undefined;
  return { id: typeof id === "string" ? id : Number(id), tool: name, input, meta };
}

/** A call of a tool without a session. */
export type DirectCall = ToolCall & {
  /** The facts about client and protocol that the SDK checks. Calls that share them are accepted or refused alike. */
  readonly envelope: string;
};

const versionKey = "io.modelcontextprotocol/protocolVersion";
const serverInfoKey = "io.modelcontextprotocol/serverInfo";

/** Reads such a call; undefined for any other request, which the SDK answers. */
export function directCallOf({ headers }: Request, body: unknown): DirectCall | undefined {
  const call = toolCallOf(body);
  if (call?.meta === undefined) return undefined;
  const isNamed = headers.get("Mcp-Method") === "tools/call" && headers.get("Mcp-Name") === call.tool;
  if (!isNamed || headers.get("MCP-Protocol-Version") !== call.meta[versionKey]) return undefined;
  return { ...call, envelope: JSON.stringify([headers.get("Accept"), headers.get("Content-Type"), call.meta]) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const hasOnly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name));

/** Returns the answer to a call, byte for byte as the SDK writes it. */
export function directAnswer(
  { id }: DirectCall,
  { _meta: own, content, structuredContent, isError }: CallToolResult,
  serverInfo: object,
): string {
  const meta = { _meta: { ...own, [serverInfoKey]: serverInfo } };
  const result = {
    ...(own === undefined ? {} : meta),
    content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === undefined ? {} : { isError }),
    resultType: "complete",
    ...meta,
  };
  return metered(() => JSON.stringify({ result, jsonrpc: "2.0", id }));
}

const maxEnvelopes = 500;
const maxEnvelopeLength = 4_000;

/** The envelopes with which the SDK has answered a call. A new one is checked by the SDK first. */
export class AcceptedEnvelopes {
  readonly #known = new Set<string>();

  has(envelope: string): boolean {
    return this.#known.has(envelope);
  }

  /** Remembers an envelope if the SDK has answered its call with a result. */
  async learn({ envelope }: DirectCall, answer: Response): Promise<void> {
    if (answer.status !== 200 || answer.headers.get("Content-Type") !== "application/json") return;
    if (envelope.length > maxEnvelopeLength || !(await answer.clone().text()).startsWith('{"result":')) return;
    // The oldest one makes room.
    for (const oldest of this.#known) {
      if (this.#known.size < maxEnvelopes) break;
      this.#known.delete(oldest);
    }
    this.#known.add(envelope);
  }
}
