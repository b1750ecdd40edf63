import { authenticateSession } from "@kb/auth";
import { operations } from "@kb/core";
import { callerOf, giveLogo } from "@kb/core/testing";
import { newId } from "@kb/db";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestBrowser, testBrowser } from "./browser.ts";
import { openSetting, type Setting } from "./setting.ts";

const password = "a password of a length";

describe("joining at /join/{token}", { timeout: 120_000 }, () => {
  let setting: Setting;
  let browser: TestBrowser;
  beforeAll(async () => {
    setting = await openSetting();
  });
  beforeEach(() => {
    browser = testBrowser(setting.app);
  });
  afterAll(() => setting.close());

  const invite = async (): Promise<{ id: string; email: string; path: string }> => {
    const { world } = setting;
    const boss = callerOf(world, await world.session(world.people.admin));
    const { invitations } = await boss.run(operations.createInvitations, { emails: [`${newId()}@example.org`] });
    const [{ id, email, link } = { id: "", email: "", link: "" }] = invitations;
    return { id, email, path: new URL(link ?? "").pathname };
  };
  const actorOf = (visitor: TestBrowser) =>
    authenticateSession(setting.world.service.database, visitor.cookies.get("kb_session") ?? "", setting.clock.now());

  it("the page is a form without script that is not cached, sends no address to other sites and shows who invites", {
    meta: { proves: ["onboarding.invitation.page"] },
  }, async () => {
    const { email, path } = await invite();
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    expect(Object.keys(page.fields).sort()).toEqual(["csrf", "email", "name", "password"]);
    expect(page.fields.email).toBe(email);
    expect(page.text).toContain(`${setting.world.people.admin.name} invites you`);
    expect(page.text).not.toContain("<script");
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(page.headers.get("Referrer-Policy")).toBe("same-origin");
    expect(page.headers.get("Content-Security-Policy")).toMatch(/default-src 'none'.*form-action 'self'/);
  });

  it("the page shows the logo of the team to those who hold the link", {
    meta: { proves: ["onboarding.logo.shown"] },
  }, async () => {
    const { path } = await invite();
    expect((await browser.get(path)).text).not.toContain("<img");
    await giveLogo(setting.world);
    const page = await browser.get(path);
    expect(page.text).toContain('<img class="tile" src="data:image/png;base64,iVBORw0KGgo');
    expect(page.headers.get("Content-Security-Policy")).toContain("img-src data:");
    const { world } = setting;
    await callerOf(world, await world.session(world.people.admin)).run(operations.removeLogo);
    expect((await browser.get(path)).text).not.toContain("<img");
  });

  it("the form makes a member and logs them in; the link then works no more", {
    meta: { proves: ["onboarding.invitation.page"] },
  }, async () => {
    const { email, path } = await invite();
    const page = await browser.get(path);
    const answer = await browser.submit(page, path, { name: "Ada", password, email: "other@example.org" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
    expect(await actorOf(browser)).toMatchObject({ userName: "Ada", email });
    const again = await testBrowser(setting.app).get(path);
    expect([again.status, again.text.includes("This invitation is not valid")]).toEqual([404, true]);
    expect((await browser.submit(page, path, { name: "Eve", password })).status).toBe(404);
    const other = testBrowser(setting.app);
    const entered = await other.submit(await other.get("/login"), "/login", { email, password });
    expect(entered.status).toBe(303);
  });

  it.each([
    ["a leaked password", { password: "iloveyou1" }, "leaked", "password"],
    ["a password with the name", { name: "Lovelace", password: "lovelace1" }, "your name", "password"],
    ["a short password", { password: "short" }, "fewer than 8", "password"],
    ["no name", { name: " " }, "Enter your name", "name"],
    ["a control character", { name: "A\u0001" }, "characters that nobody can see", "name"],
  ])(
    "%s is refused with the reason at its field, and the name is kept",
    {
      meta: { proves: ["onboarding.password.weak", "onboarding.invitation.page"] },
    },
    async (_, given, reason, field) => {
      const { path } = await invite();
      const answer = await browser.submit(await browser.get(path), path, { name: "Ada", password, ...given });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(reason);
      expect(new RegExp(`<input id="${field}"[^>]*aria-invalid="true"`).test(answer.text)).toBe(true);
      expect(answer.fields.name).toBe({ name: "Ada", ...given }.name);
      expect(answer.fields.password).toBe("");
      expect(browser.cookies.has("kb_session")).toBe(false);
    },
  );

  it("the page is in the language of the browser, and so is the account", {
    meta: { proves: ["onboarding.invitation.page"] },
  }, async () => {
    const { email, path } = await invite();
    const page = await browser.get(path, { "Accept-Language": "ar-EG,ar;q=0.9,en;q=0.5" });
    expect(page.text).toContain('<html lang="ar" dir="rtl">');
    expect(page.text).toContain("انضم إلى");
    await browser.submit(page, path, { name: "آدا", password }, { "Accept-Language": "ar" });
    const { client } = setting.world.service.database;
    const user = await client.user.findFirst({ where: { teamId: setting.world.teamId, email } });
    expect(user).toMatchObject({ name: "آدا", language: "ar" });
  });

  it.each([
    ["without the token of the form", { csrf: "" }, {}],
    ["from another site", {}, { Origin: "https://evil.example" }],
  ])(
    "a form sent %s is rejected, and the invitation stays open",
    {
      meta: { proves: ["decision.access.csrf"] },
    },
    async (_, fields, headers) => {
      const { path } = await invite();
      const answer = await browser.submit(await browser.get(path), path, { name: "Ada", password, ...fields }, headers);
      expect(answer.status).toBe(403);
      expect((await browser.get(path)).status).toBe(200);
    },
  );

  it("the name of a team or a person cannot put elements into the page", async () => {
    const { world } = setting;
    await world.service.database.client.team.update({
      where: { id: world.teamId },
      data: { name: `<img src=x onerror="alert(1)">` },
    });
    const { path } = await invite();
    const { text } = await browser.get(path);
    expect(text).toContain("&lt;img src=x");
    expect(text).not.toContain("<img");
  });

  it("unknown tokens are answered alike, and no line of the log contains a token", {
    meta: { proves: ["onboarding.invitation.once", "decision.access.no-usable-secret"] },
  }, async () => {
    const { path } = await invite();
    await browser.get(path);
    for (const token of ["x", "a".repeat(43), "%00", "a".repeat(5_000)]) {
      expect((await browser.get(`/join/${token}`)).status).toBe(404);
    }
    expect((await browser.get("/join")).status).toBe(404);
    const token = path.slice("/join/".length);
    expect(setting.lines.some((line) => line.includes("/join/{token}"))).toBe(true);
    expect(setting.lines.join("")).not.toContain(token);
    expect(setting.lines.join("")).not.toContain("a".repeat(43));
  });

  it("a user who accepts an invitation in a browser with a session gets a new session", async () => {
    const { world } = setting;
    const session = await world.session(world.people.viewer);
    browser.cookies.set("kb_session", session.token);
    const { email, path } = await invite();
    await browser.submit(await browser.get(path), path, { name: "Ada", password });
    expect(await actorOf(browser)).toMatchObject({ email });
    expect(await authenticateSession(world.service.database, session.token, setting.clock.now())).toBeNull();
  });
});
