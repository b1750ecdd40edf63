import { setTimeout as pause } from "node:timers/promises";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** The answer of a tool. A call that failed on its way may have had its effect: nobody knows. */
export type ToolAnswer =
  | { readonly kind: "done"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly kind: "unknown" };

/** `legacy` has sessions, which both instances know; `auto` negotiates the newest revision of MCP, which has none. */
export type Negotiation = "legacy" | "auto";

const timeoutMs = 60_000;
const retryMs = 500;
/** Longer than any disaster lasts. */
const longestOutageMs = 600_000;
/** Errors that say that the service could not work at the moment. */
const passing = new Set(["UNAVAILABLE", "RATE_LIMITED"]);

/** An assistant's connection over Streamable HTTP by the client of the SDK, made again whenever it fails. */
export class AssistantConnection {
  readonly #url: URL;
  readonly #key: string;
  readonly #options: ClientOptions;
  #client: Client | undefined;
  #lastAnswerAt = performance.now();

  constructor(origin: string, key: string, negotiation: Negotiation) {
    this.#url = new URL("/api/mcp", origin);
    this.#key = key;
    this.#options = { versionNegotiation: { mode: negotiation } };
  }

  /** Calls a tool once. @throws {Error} for a call that was refused, and if the service did not answer for ten minutes */
  async call(name: string, parameters: Record<string, unknown>): Promise<ToolAnswer> {
    try {
      this.#client ??= await this.#connect();
      const result = await this.#client.callTool({ name, arguments: parameters }, { timeout: timeoutMs });
      if (result.isError !== true) {
        this.#lastAnswerAt = performance.now();
        return { kind: "done", content: recordOf(result.structuredContent) };
      }
      if (!passing.has(String(result._meta?.code)))
        throw new RefusedError(`${name}: ${JSON.stringify(result.content)}`);
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      if (performance.now() - this.#lastAnswerAt > longestOutageMs) {
        throw new Error(`${name} did not succeed for ten minutes`, { cause: error });
      }
      await this.close();
    }
    await pause(retryMs);
    return { kind: "unknown" };
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.close().catch(() => {});
  }

  async #connect(): Promise<Client> {
    const client = new Client({ name: "chaos", version: "1.0.0" }, this.#options);
    const headers = { Authorization: `Bearer ${this.#key}` };
    try {
      await client.connect(new StreamableHTTPClientTransport(this.#url, { requestInit: { headers } }), {
        timeout: timeoutMs,
      });
      return client;
    } catch (error) {
      await client.close().catch(() => {});
      throw error;
    }
  }
}

/** A call that reached the service, which refused it. */
class RefusedError extends Error {}

function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new Error("a tool answered without structured content");
  return { ...value };
}
