import type { ApiClient, Failure } from "./api-client.ts";
import type { Route } from "./fuzz.ts";

/**
 * Calls an operation over its route, with its input as path parameters and as the query or the body. Returns `allowed` or
 * the code of the refusal, and requires the status of that code.
 */
export async function callOverRest(
  { method, template }: Route,
  client: ApiClient,
  input: object,
  statusOf: Readonly<Record<string, number>>,
): Promise<string> {
  const rest = new Map<string, unknown>(Object.entries(input));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = String(rest.get(key));
    rest.delete(key);
    return value;
  });
  const reads = method === "GET";
  const query = new URLSearchParams([...rest].map(([key, value]) => [key, String(value)]));
  const sending = reads || rest.size === 0 ? {} : { json: Object.fromEntries(rest) };
  const reply = await client.send<Failure>(method, reads ? `${path}?${query}` : path, sending);
  if (reply.status < 300) return "allowed";
  const { code } = reply.body;
  return statusOf[code] === reply.status ? code : `${code} with ${reply.status}`;
}
