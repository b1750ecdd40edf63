import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { arrowFindings, arrows } from "./arrows.ts";
import { findCycles } from "./cycles.ts";
import { repositoryFiles } from "./repository.ts";

/** The rules that one file breaks. */
function rulesOf(path: string, text: string): string[] {
  return arrowFindings([{ path, text }]).map((finding) => finding.rule);
}

describe("arrows between packages", () => {
  it("a forbidden import in a repository is found with its file and line", () => {
    const root = mkdtempSync(join(tmpdir(), "arrows-"));
    try {
      execFileSync("git", ["init", "-q", root]);
      const path = "packages/core/src/documents/create.ts";
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), '// Why.\nimport { start } from "@kb/api";\nstart();\n');
      expect(arrowFindings(repositoryFiles(root))).toEqual([{ path, line: 2, rule: "core may not import api" }]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it("browser code imports only types of the domain", () => {
    const path = "apps/web/src/client/api/contract.ts";
    expect(rulesOf(path, 'import { invoke } from "@kb/core";')).toEqual([
      "browser code imports only types of @kb/core",
    ]);
    expect(rulesOf(path, 'import type { Service } from "@kb/core";')).toEqual([]);
  });

  it.each([
    ["an app imports another app", "apps/api/src/app.ts", "@kb/mcp", "api may not import mcp"],
    ["a package imports an app", "packages/http/src/edge.ts", "@kb/api/app", "http may not import api"],
    ["an arrow is turned round", "packages/db/src/pool.ts", "@kb/core", "db may not import core"],
    [
      "the codec imports anything of ours",
      "packages/markdown-codec/src/parse.ts",
      "@kb/db",
      "markdown-codec may not import db",
    ],
    [
      "a deployed package imports the test harness",
      "packages/core/src/index.ts",
      "@kb/testing",
      "core may not import testing",
    ],
    [
      "a relative import leaves its package",
      "packages/core/src/x.ts",
      "../../db/src/pool.ts",
      "../../db/src/pool.ts leaves core: import the package by its name",
    ],
    ["browser code uses Node", "apps/web/src/client/api/call.ts", "node:fs", "browser code may not import node:fs"],
    [
      "browser code uses the server of the web app",
      "apps/web/src/messages/en.ts",
      "../server/app.ts",
      "browser code may not import ../server/app.ts, which runs on the server",
    ],
    ["Prisma is used outside db", "packages/core/src/x.ts", "@prisma/client", "only db may import @prisma/client"],
    [
      "Hono is used outside the edge",
      "packages/core/src/x.ts",
      "hono/cors",
      "only http, api, mcp, oauth, web, kb, bench may import hono/cors",
    ],
    [
      "the MCP SDK is used outside its packages",
      "packages/core/src/x.ts",
      "@modelcontextprotocol/server",
      "only mcp-tools, mcp, mcp-stdio, bench may import @modelcontextprotocol/server",
    ],
  ])("%s", (_what, path, specifier, rule) => {
    expect(rulesOf(path, `import { a } from "${specifier}";\na();`)).toEqual([rule]);
    expect(rulesOf(path, `import type { A } from "${specifier}";\nexport type B = A;`)).toEqual([rule]);
    expect(rulesOf(path, `export * from "${specifier}";`)).toEqual([rule]);
    expect(rulesOf(path, `export const a = await import("${specifier}");`)).toEqual([rule]);
    expect(rulesOf(path, `export type A = import("${specifier}").A;`)).toEqual([rule]);
  });

  it("a package that has no row in the table is found", () => {
    expect(rulesOf("packages/extra/src/index.ts", "export {};")).toEqual([
      "extra has no row in checks/arrows.ts: list what it may import",
    ]);
  });

  it("every arrow of the table is allowed, and tests may import any package", () => {
    for (const [packageName, targets] of Object.entries(arrows)) {
      for (const target of targets) {
        const name = target === "markdown-codec" ? target : `@kb/${target}`;
        expect(rulesOf(`packages/${packageName}/src/x.ts`, `import "${name}";`)).toEqual([]);
      }
    }
    expect(rulesOf("packages/core/src/x.test.ts", 'import "@kb/testing";')).toEqual([]);
    expect(rulesOf("apps/api/test/x.test.ts", 'import "@kb/auth";')).toEqual([]);
    expect(rulesOf("apps/api/test/x.test.ts", 'import "@kb/mcp";')).toEqual(["api may not import mcp"]);
  });

  it("the table itself has no cycle", () => {
    expect(findCycles(new Map(Object.entries(arrows)))).toEqual([]);
  });
});

describe("access that only a few files have", () => {
  const path = "packages/http/src/edge.ts";

  it("read process.env only in an env.ts", () => {
    const rule = "read process.env only in an env.ts";
    expect(rulesOf(path, "export const port = process.env.PORT;")).toEqual([rule]);
    expect(rulesOf(path, 'import { env } from "node:process";\nexport const port = env.PORT;')).toEqual([rule]);
    expect(rulesOf("apps/api/src/env.ts", "export const port = process.env.PORT;")).toEqual([]);
    expect(rulesOf(path, "run({ env: { ...process.env } });")).toEqual([]);
  });

  it("outgoing HTTP is found in every form", () => {
    for (const text of [
      'await fetch("https://example.com");',
      'await globalThis.fetch("https://example.com");',
      'import { request } from "node:http";\nrequest("http://example.com");',
      'import http from "node:http";\nhttp.get("http://example.com");',
      'import { Agent } from "undici";\nnew Agent();',
      'const { get } = await import("node:https");\nget("https://example.com");',
    ]) {
      expect(rulesOf(path, text), text).toEqual([expect.stringContaining("outgoing HTTP")]);
      expect(rulesOf("packages/outgoing/src/guarded-fetch.ts", text), text).toEqual([]);
    }
  });

  it("a server and its types are not outgoing HTTP", () => {
    expect(rulesOf(path, 'import { createServer, type Server } from "node:http";\ncreateServer();')).toEqual([]);
    expect(
      rulesOf(path, 'import type { IncomingMessage } from "node:http";\nexport type A = IncomingMessage;'),
    ).toEqual([]);
    expect(rulesOf(path, "await app.fetch(request);")).toEqual([]);
  });
});

describe("SQL in apps", () => {
  const rule = "an app contains no SQL: move it to a package";

  it("a statement or a model access in an app is found in every form", () => {
    for (const text of [
      "export const condition = sql`TRUE`;",
      "await database.rows(statement);",
      "await service.database.execute(statement);",
      "await this.#service.database.acrossTeams.rows(statement);",
      'await service.database["client"].user.findMany({});',
      "await service.database.transaction(async (tx) => tx.user.findMany({}));",
    ]) {
      expect(rulesOf("apps/api/src/x.ts", text), text).toEqual([rule]);
      expect(rulesOf("packages/core/src/x.ts", text), text).toEqual([]);
      expect(rulesOf("apps/kb/src/x.ts", text), text).toEqual([]);
      expect(rulesOf("apps/api/test/x.test.ts", text), text).toEqual([]);
    }
  });

  it("an app may run what a package offers in a transaction", () => {
    const text = "await service.database.transaction((tx) => endSession(tx, teamId, id));";
    expect(rulesOf("apps/oauth/src/x.ts", text)).toEqual([]);
  });

  it("an app imports from db only what opens the connection, and types", () => {
    const path = "apps/api/src/x.ts";
    for (const text of ['import { connect, sql } from "@kb/db";', 'import * as db from "@kb/db";']) {
      expect(rulesOf(path, text), text).toEqual([
        "an app imports only connect, dataDirHolder, describeCluster, isUuid from @kb/db",
      ]);
      expect(rulesOf("apps/kb/src/x.ts", text), text).toEqual([]);
    }
    expect(rulesOf(path, 'import { connect, type Database } from "@kb/db";')).toEqual([]);
  });
});

describe("the entry point to the operations", () => {
  it("an operation is performed only through invoke, however the call is written", () => {
    for (const text of [
      "await target.perform(a);",
      'await target["perform"](a);',
      "const { perform } = target;\nperform(a);",
    ]) {
      const rule = "an operation runs only through invoke (packages/core/src/invoke.ts)";
      expect(rulesOf("packages/http/src/rest.ts", text), text).toEqual([rule]);
      expect(rulesOf("packages/core/src/invoke.ts", text), text).toEqual([]);
    }
    expect(rulesOf("packages/core/src/operation.ts", "export const made = { perform: async () => {} };")).toEqual([]);
  });

  it("only route() creates a row of the REST table", () => {
    const text = 'export const row = { method: "get", path: "/api/v1/x", answer: async () => ({}) };';
    const rule = "only route() creates a row (packages/http/src/route.ts)";
    expect(rulesOf("apps/api/src/routes.ts", text)).toEqual([rule]);
    expect(rulesOf("packages/http/src/route.ts", text)).toEqual([]);
  });
});

describe("cycles", () => {
  it("a cycle of three files is found once", () => {
    const file = (name: string, next: string) => ({
      path: `packages/core/src/${name}.ts`,
      text: `import { x } from "./${next}.ts";\nexport const ${name} = x;`,
    });
    const found = arrowFindings([file("a", "b"), file("b", "c"), file("c", "a")]);
    expect(found.map((finding) => finding.rule)).toEqual([
      "cycle: packages/core/src/a.ts -> packages/core/src/b.ts -> packages/core/src/c.ts -> packages/core/src/a.ts",
    ]);
  });
});
