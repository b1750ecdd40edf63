import type { Output } from "../context.ts";
import { version } from "../version.ts";
import type { FirstStart } from "./first-start.ts";

/**
 * Prints the addresses and, after the first start, the credentials. `allowsApps`: apps may connect without a key. The last
 * line is `ready <url>`.
 */
export function announce(output: Output, url: string, first: FirstStart | null, allowsApps: boolean): void {
  const setupCode = first?.setupCode ?? null;
  const mcp = first === null ? null : mcpSettings(url, first.apiKey);
  const object = {
    url,
    version,
    firstStart: first !== null,
    ...(first === null ? {} : { email: first.email, apiKey: first.apiKey }),
    ...(first?.passwordMadeUp === true ? { password: first.password } : {}),
    ...(setupCode === null ? {} : { setupUrl: `${url}/setup`, setupCode }),
    ...(mcp === null ? {} : { mcp }),
  };
  const credentials = first === null ? [] : credentialLines(url, first);
  const settings = mcp === null ? [] : assistantLines(url, mcp, allowsApps);
  output.answer(object, [
    "",
    `  Knowledge base ${version}`,
    `  Open     ${setupCode === null ? url : `${url}/setup`}`,
    `  API      ${url}/docs`,
    ...credentials,
    ...settings,
    "",
    `ready ${url}`,
  ]);
}

/** Returns the lines with the credentials of the first start. */
export function credentialLines(
  url: string,
  { email, password, passwordMadeUp, usable, apiKey, setupCode }: FirstStart,
): string[] {
  const code = setupCode === null ? [] : [`  Code     ${setupCode} (to set up the team at ${url}/setup, for 24 hours)`];
  return [
    ...code,
    `  Admin    ${email}`,
    `  Password ${passwordMadeUp ? password : "(from KB_ADMIN_PASSWORD)"}${usable ? "" : " (once PASSWORD_LOGIN is not false)"}`,
    `  API key  ${apiKey}`,
    "  They are shown only once. Store them now.",
    "",
    "Try it:",
    "",
    `  curl -H "Authorization: Bearer ${apiKey}" ${url}/api/v1/documents`,
  ];
}

function assistantLines(url: string, settings: object, allowsApps: boolean): string[] {
  const keyless = allowsApps
    ? ["", `If it logs in through the browser, it needs only the address: ${url}/api/mcp`]
    : [];
  return ["", "Connect an assistant with these MCP settings:", "", ...indented(settings), ...keyless];
}

/** Returns the settings for a client's `mcp.json`. */
function mcpSettings(url: string, apiKey: string): object {
  const headers = { Authorization: `Bearer ${apiKey}` };
  return { mcpServers: { kb: { type: "http", url: `${url}/api/mcp`, headers } } };
}

const indented = (value: object): string[] =>
  JSON.stringify(value, null, 2)
    .split("\n")
    .map((line) => `  ${line}`);
