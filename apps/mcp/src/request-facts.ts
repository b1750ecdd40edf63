import { toolNames } from "@kb/mcp-tools";

/** What the log and the span of a request say of its message; nothing that a client could make up. */
export type RequestFacts = {
  /** Whether the revision knows sessions. */
  readonly era: "sessions" | "stateless";
  /** A method of the protocol, or `other`. */
  readonly method: string;
  /** The tool that is called, or `other` for one that there is not. */
  readonly tool?: string;
};

const methods: ReadonlySet<string> = new Set([
  ...["initialize", "ping", "tools/list", "tools/call", "server/discover", "subscriptions/listen"],
  ...["resources/list", "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe"],
  ...["prompts/list", "prompts/get", "completion/complete", "logging/setLevel"],
  ...["notifications/initialized", "notifications/cancelled", "notifications/progress"],
]);

/** Of a batch its first message is told; of an answer, which has no method, that it is `other`. */
export function requestFacts(body: unknown, era: RequestFacts["era"]): RequestFacts {
  const message: unknown = Array.isArray(body) ? body[0] : body;
  const method = textIn(message, "method");
  if (method === undefined || !methods.has(method)) return { era, method: "other" };
  if (method !== "tools/call") return { era, method };
  const tool = textIn(objectIn(message, "params"), "name");
  return { era, method, tool: tool !== undefined && toolNames.has(tool) ? tool : "other" };
}

const objectIn = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;

function textIn(value: unknown, key: string): string | undefined {
  const found = objectIn(value, key);
  return typeof found === "string" ? found : undefined;
}
