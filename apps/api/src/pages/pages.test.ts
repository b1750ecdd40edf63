import { edgeApp, pagePolicy } from "@kb/http";
import { createLogger } from "@kb/runtime";
import { describe, expect, it } from "vitest";
import { routes } from "../routes.ts";
import { servePages } from "./index.ts";
import { inline, prose } from "./page.ts";

const appUrl = "https://wiki.example.com";
const rows = routes(appUrl);
const app = edgeApp({ logger: createLogger({ app: "test", level: "silent" }), clientIp: () => "", appUrl });
servePages(app, { appUrl, rows, limitPages: (_context, next) => next() });
const read = async (path: string): Promise<string> => (await app.request(path)).text();

describe("the documentation page", () => {
  it("has a section for every row, with its path and a command for this installation", async () => {
    const page = await read("/docs");
    for (const row of rows) {
      expect(page).toContain(`id="${row.name}"`);
      expect(page).toContain(`${appUrl}${row.path.replaceAll(/\{(\w+)\}/g, "$$$1")}`);
    }
  });

  it("has the target of the Link header of GET /api/v1/me", {
    meta: { proves: ["versioning.link"] },
  }, async () => {
    const link = rows.find((row) => row.path === "/api/v1/me")?.headers.Link;
    expect(link).toBe(`<${appUrl}/docs#deprecations>; rel="deprecation"; type="text/html"`);
    expect(await read("/docs")).toContain('id="deprecations"');
  });

  it("has the target of each of its links, and each id once", async () => {
    const page = await read("/docs");
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  it("has no inline script, inline style or external resource, all of which the policy forbids", async () => {
    const policies = new Map([
      ["/", pagePolicy],
      ["/docs", `${pagePolicy}; script-src 'self'; require-trusted-types-for 'script'`],
    ]);
    for (const [path, policy] of policies) {
      const response = await app.request(path);
      expect(response.headers.get("Content-Security-Policy")).toBe(policy);
      const page = await response.text();
      expect(page).not.toMatch(/<script(?! src="\/docs\/script\.js" defer><\/script>)|<style| style=| on\w+=/i);
      expect([...page.matchAll(/(?:src|href)="(https?:[^"]*)"/g)]).toEqual([]);
    }
    expect(pagePolicy).toContain("style-src 'self'");
    expect(pagePolicy).not.toContain("unsafe-inline");
    expect((await app.request("/docs/script.js")).headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
    expect((await app.request("/docs/style.css")).headers.get("Content-Type")).toBe("text/css; charset=utf-8");
  });

  it("escapes all values", async () => {
    expect(String(await inline('a `<b>` & "c"'))).toBe("a <code>&lt;b&gt;</code> &amp; &quot;c&quot;");
    expect(String(await prose("one\n\n<two>"))).toBe("<p>one</p>\n<p>&lt;two&gt;</p>\n");
  });

  it("is well-formed: elements are closed in order", async () => {
    const empty = new Set(["meta", "link", "input", "!doctype"]);
    for (const path of ["/", "/docs"]) {
      const open: string[] = [];
      for (const [, end, name = ""] of (await read(path)).matchAll(/<(\/?)(!?[a-z][a-z0-9]*)\b[^>]*>/gi)) {
        if (empty.has(name.toLowerCase())) continue;
        if (end === "") open.push(name);
        else expect(open.pop()).toBe(name);
      }
      expect(open).toEqual([]);
    }
  });
});
