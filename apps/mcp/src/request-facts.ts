import { toolNames } from "@kb/mcp-tools";

/** The facts about a message for the log and the span. Every value comes from a fixed set, never from the client. */
export type RequestFacts = {
  /** Whether the protocol revision has sessions. */
  readonly era: "sessions" | "stateless";
  /** A method of the protocol, or `other`. */
  readonly method: string;
  /** The called tool, or `other` for an unknown one. */
  readonly tool?: string;
};

const methods: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "server/discover",
  "subscriptions/listen",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
]);

/** Describes the first message of a batch. A response has no method and is described as `other`. */
export function requestFacts(body: unknown, era: RequestFacts["era"]): RequestFacts {
  const message: unknown = Array.isArray(body) ? body[0] : body;
  const method = textProperty(message, "method");
  if (method === undefined || !methods.has(method)) return { era, method: "other" };
  if (method !== "tools/call") return { era, method };
  const tool = textProperty(propertyOf(message, "params"), "name");
  return { era, method, tool: tool !== undefined && toolNames.has(tool) ? tool : "other" };
}

const propertyOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;

function textProperty(value: unknown, key: string): string | undefined {
  const found = propertyOf(value, key);
  return typeof found === "string" ? found : undefined;
}
