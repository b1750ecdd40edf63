import type { Setting } from "./setting.ts";

/** An answer to a program, with its JSON read. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };

/** Sends a request as a program does that is at `address`. */
export async function ask(
  { app }: Pick<Setting, "app">,
  path: string,
  init: RequestInit & { readonly address?: string } = {},
): Promise<Answer> {
  const { address = "203.0.113.1", ...request } = init;
  const response = await app.request(new URL(path, "http://localhost:3000").href, request, {
    incoming: { socket: { remoteAddress: address } },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith("{") ? JSON.parse(text) : {} };
}

/** Registers a client. */
export function registerClient(setting: Pick<Setting, "app">, metadata: unknown, address?: string): Promise<Answer> {
  return ask(setting, "/oauth/register", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
    ...(address === undefined ? {} : { address }),
  });
}
