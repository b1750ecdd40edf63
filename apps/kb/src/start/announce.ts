import type { Output } from "../context.ts";
import { version } from "../version.ts";
import type { FirstStart } from "./first-start.ts";

/**
 * Says where the service is and, the first time, with what to get in; `letsApps` where apps may connect without a key. The
 * last line is `ready <url>`.
 */
export function announce(output: Output, url: string, first: FirstStart | null, letsApps: boolean): void {
  const mcp = first === null ? null : mcpSettings(url, first.apiKey);
  const object = {
    url,
    version,
    firstStart: first !== null,
    ...(first === null ? {} : { email: first.email, apiKey: first.apiKey }),
    ...(first?.passwordMadeUp === true ? { password: first.password } : {}),
    ...(mcp === null ? {} : { mcp }),
  };
  const credentials = first === null ? [] : credentialLines(url, first);
  const settings = mcp === null ? [] : assistantLines(url, mcp, letsApps);
  output.answer(object, [
    "",
    `  Knowledge base ${version}`,
    `  Open     ${url}`,
    `  API      ${url}/docs`,
    ...credentials,
    ...settings,
    "",
    `ready ${url}`,
  ]);
}

/** What the first start made to get in with. */
export function credentialLines(url: string, { email, password, passwordMadeUp, apiKey }: FirstStart): string[] {
  return [
    `  Admin    ${email}`,
    `  Password ${passwordMadeUp ? password : "(from KB_ADMIN_PASSWORD)"}`,
    `  API key  ${apiKey}`,
    "  These are shown once: keep them.",
    "",
    "Try it:",
    "",
    `  curl -H "Authorization: Bearer ${apiKey}" ${url}/api/v1/documents`,
  ];
}

function assistantLines(url: string, settings: object, letsApps: boolean): string[] {
  const keyless = letsApps ? ["", `One that asks you in the browser needs the address alone: ${url}/api/mcp`] : [];
  return ["", "An assistant connects with these MCP settings:", "", ...indented(settings), ...keyless];
}

/** What a client's `mcp.json` takes. */
function mcpSettings(url: string, apiKey: string): object {
  const headers = { Authorization: `Bearer ${apiKey}` };
  return { mcpServers: { kb: { type: "http", url: `${url}/api/mcp`, headers } } };
}

const indented = (value: object): string[] =>
  JSON.stringify(value, null, 2)
    .split("\n")
    .map((line) => `  ${line}`);
