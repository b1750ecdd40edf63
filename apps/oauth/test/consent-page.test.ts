import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestBrowser } from "./browser.ts";
import { authorizePathOf, loggedInBrowser, type TestClient, testClient } from "./consenting.ts";
import { openSetting, type Setting } from "./setting.ts";

const escapes: Readonly<Record<string, string>> = {
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "&": "&amp;",
};

describe("the consent page", () => {
  let setting: Setting;
  let client: TestClient;
  let browser: TestBrowser;
  beforeAll(async () => {
    setting = await openSetting();
    const { service, teamId } = setting.world;
    await service.database.client.team.update({ where: { id: teamId }, data: { mcpEnabled: true } });
    client = await testClient(setting);
    browser = await loggedInBrowser(setting, setting.world.people.member);
  });
  afterAll(() => setting?.close());

  const shown = (given: Record<string, string | null> = {}, by = client) => browser.get(authorizePathOf(by, given));

  it("cannot be framed, has no script, is not cached, and its form may redirect elsewhere", {
    meta: { proves: ["decision.consent.guarded"] },
  }, async () => {
    const { headers, text } = await shown();
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(policy).not.toMatch(/form-action|unsafe|script/);
    expect([headers.get("X-Frame-Options"), headers.get("Cache-Control")]).toEqual(["DENY", "no-store"]);
    expect(text).not.toMatch(/<script|<iframe| on\w+=| style=/);
    expect((await browser.get("/login?other=1")).headers.get("Content-Security-Policy")).toContain(
      "form-action 'self'",
    );
  });

  it("names the app, its redirect host, the team and the user", {
    meta: { proves: ["decision.consent.page"] },
  }, async () => {
    const { text } = await shown();
    const { member } = setting.world.people;
    const team = await setting.world.service.database.client.team.findUniqueOrThrow({
      where: { id: setting.world.teamId },
    });
    for (const part of ["Example Assistant", "app.example.com", team.name, member.name, member.email]) {
      expect(text).toContain(part);
    }
  });

  it.each([
    ["https://app.example.com/x", "You go to <code>app.example.com</code>", false],
    ["http://localhost:8123/x", "a program on this computer, at <code>localhost:8123</code>", true],
    ["http://[::1]:8123/x", "at <code>[::1]:8123</code>", true],
    ["cursor://anysphere.cursor-mcp/x", "An app on this device opens: the one for <code>cursor:</code>", false],
    ["https://xn--pple-43d.com/x", "<code>xn--pple-43d.com</code>", false],
  ])(
    "%s: shows %j; with a warning: %j",
    { meta: { proves: ["decision.consent.page"] } },
    async (uri, words, warned) => {
      const { text } = await shown({}, await testClient(setting, { redirectUris: [uri] }));
      expect(text).toContain(words);
      expect(text.includes("Check first.")).toBe(warned);
    },
  );

  it("marks a self-registered name as unverified, and shows the host of a metadata document", {
    meta: { proves: ["decision.consent.page"] },
  }, async () => {
    expect((await shown()).text).toContain("nobody has verified it");
    const document = await testClient(setting, { id: "https://assistant.example.com/client.json", kind: "document" });
    const { text } = await shown({}, document);
    expect(text).not.toContain("nobody has verified it");
    expect(text).toContain("<code>assistant.example.com</code>");
    expect((await shown({}, await testClient(setting, { name: null }))).text).toContain("does not state its name");
  });

  it.each([
    `<script>alert(1)</script>`,
    `"><img src=x onerror=alert(1)>`,
    `</title><script>alert(1)</script>`,
    `' onmouseover='alert(1)`,
    "&lt;b&gt;",
    "A".repeat(100),
  ])("escapes a hostile name: %j", { meta: { proves: ["decision.consent.guarded"] } }, async (name) => {
    const hostile = await testClient(setting, { name });
    const { text } = await shown({ state: name }, hostile);
    const escaped = [...name].map((sign) => escapes[sign] ?? sign).join("");
    expect(text).toContain(`<h1>Connect <bdi>${escaped}</bdi>?</h1>`);
    expect(text).not.toMatch(/<script|<img|<b>/);
    expect(text.match(/<title>/g)).toHaveLength(1);
  });
});
