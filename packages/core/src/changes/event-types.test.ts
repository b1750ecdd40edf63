import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Actor } from "@kb/auth";
import { describe, expect, it } from "vitest";
import { eventDefinitions, eventTypes, findDefinition } from "./event-types.ts";

const actor: Actor = {
  teamId: "00000000-0000-7000-8000-000000000001",
  userId: "00000000-0000-7000-8000-000000000002",
  userName: "Ada",
  email: "ada@example.org",
  systemAdmin: true,
  capabilities: new Set(),
  groupIds: [],
  scopes: new Set(["read"]),
  credential: { kind: "system", id: "test", name: "Test" },
  restrictedKeyId: null,
};

describe("the table of events", () => {
  it.each(eventTypes)("%s has an audience in SQL and in code, and data with an id", (type) => {
    const { audience, data } = eventDefinitions[type];
    expect(audience.sql(actor).text.length).toBeGreaterThan(0);
    expect(audience.allows).toBeInstanceOf(Function);
    expect(data.shape.id.safeParse("no id").success).toBe(false);
    expect(data.safeParse({}).success).toBe(false);
  });

  it("knows no type beside its own", () => {
    expect(findDefinition("toString")).toBeUndefined();
    expect(findDefinition("document.unheard_of")).toBeUndefined();
  });

  it("lists the same names as docs/webhooks.md", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/webhooks.md"), "utf8");
    const section = page.slice(page.indexOf("\n## Events"));
    const listed = [...section.matchAll(/^\| `(\w+\.)` \| (.*) \|$/gm)].flatMap(([, area = "", names = ""]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${area}${name}`),
    );
    expect(listed.sort()).toEqual([...eventTypes].sort());
  });
});
