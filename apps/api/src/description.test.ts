import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeApi } from "./description.ts";
import { routes } from "./routes.ts";

const rows = routes("http://localhost:3000");
const description = describeApi(rows);

/** Everything in the document that refers to something of it. */
function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => (key === "$ref" ? [String(part)] : references(part)));
}

describe("the OpenAPI description", () => {
  it("is the committed openapi.json", () => {
    const committed = readFileSync(join(import.meta.dirname, "../../../openapi.json"), "utf8");
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(description)));
  });

  it("contains every row of the table, each with a unique name", () => {
    for (const row of rows) expect(description.paths[row.path]).toHaveProperty(row.method);
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
    expect(new Set(rows.map((row) => `${row.method} ${row.path}`)).size).toBe(rows.length);
  });

  it("contains every definition that it refers to", () => {
    const all = references(description);
    expect(all.length).toBeGreaterThan(100);
    for (const reference of new Set(all)) {
      const found = reference
        .slice(2)
        .split("/")
        .reduce<unknown>((part, name) => Reflect.get(Object(part), name.replaceAll("~1", "/")), description);
      expect(found, reference).toBeDefined();
    }
  });

  it("depends on the installation only in its server", () => {
    const { servers, ...own } = describeApi(routes("https://wiki.example.com"), "https://wiki.example.com");
    const { servers: committed, ...rest } = description;
    expect([servers, committed]).toEqual([[{ url: "https://wiki.example.com" }], [{ url: "/" }]]);
    expect(JSON.stringify(own)).toBe(JSON.stringify(rest));
  });

  it("marks the role of a user as deprecated", { meta: { proves: ["versioning.role-deprecated"] } }, () => {
    const { role } = description.components.schemas.User?.properties ?? {};
    expect(role).toMatchObject({ deprecated: true });
  });
});
