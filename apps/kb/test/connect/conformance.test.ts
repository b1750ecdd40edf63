import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "./test-service.ts";

const program = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");

type Check = { readonly id: string; readonly status: string; readonly errorMessage?: string };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Runs the suite's mode for authorization servers; whenever it prints an address for the user, the user goes there. */
async function runSuite(clientId: string, port: number, revision: string): Promise<Map<string, Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), "kb-conformance-"));
  const { origin, mcp } = service;
  const settings = ["--url", origin, "--client-id", clientId, "--resource", mcp.href, "--port", String(port)];
  const chosen = ["--spec-version", revision, "--output-dir", folder];
  const child = spawn(process.execPath, [program, "authorization", ...settings, ...chosen]);
  let text: string = "";
  let failure: unknown;
  const visited = new Set<string>();
  const visit = (): void => {
    for (const [address] of text.matchAll(new RegExp(`^${origin}/oauth/authorize\\?\\S+(?=\\n)`, "gm"))) {
      if (visited.has(address)) continue;
      visited.add(address);
      service
        .approve(address)
        .then((back) => fetch(back))
        .catch((error: unknown) => {
          failure = error;
          child.kill();
        });
    }
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      visit();
    });
  }
  try {
    await new Promise((resolve) => child.once("close", resolve));
    if (failure !== undefined) throw failure;
    return checksIn(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checksIn(folder: string): Map<string, Check[]> {
  const found = new Map<string, Check[]>();
  for (const name of readdirSync(folder)) {
    // `authorization-code-grant-2026-11-21T14-13-11-265Z`
    const scenario = /^(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    const file = join(folder, name, "checks.json");
    if (scenario === undefined || !existsSync(file)) continue;
    found.set(scenario, JSON.parse(readFileSync(file, "utf8")));
  }
  return found;
}

describe("the official conformance suite's mode for authorization servers", () => {
  it.each(["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])(
    "%s: every check of every scenario passes",
    { timeout: 60_000, meta: { proves: ["decision.oauth.conformance"] } },
    async (revision) => {
      const port = await freePort();
      const registered = await fetch(`${service.origin}/oauth/register`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ redirect_uris: ["http://127.0.0.1/callback"], token_endpoint_auth_method: "none" }),
      });
      const { client_id } = await registered.json();
      const scenarios = await runSuite(client_id, port, revision);
      expect([...scenarios.keys()].sort()).toEqual([
        expect.stringMatching(/authorization-code-grant$/),
        expect.stringMatching(/authorization-server-metadata-endpoint$/),
      ]);
      const checks = [...scenarios.values()].flat();
      expect(checks.length).toBeGreaterThanOrEqual(2);
      expect(checks.filter(({ status }) => status !== "SUCCESS")).toEqual([]);
    },
  );
});
