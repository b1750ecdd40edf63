import { authenticateApiKey, authenticateSession } from "@kb/auth";
import { admin } from "@kb/core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Page, type TestBrowser, testBrowser } from "./browser.ts";
import { openSetting, password as printed, type Setting } from "./setting.ts";

const password = "quiet river under seven bridges";
const entries = { team: "Otters", name: "Ada Lovelace", email: "ada@otters.example", password };

describe("setting up the team at /setup", { timeout: 120_000 }, () => {
  let setting: Setting;
  let browser: TestBrowser;
  beforeAll(async () => {
    setting = await openSetting();
  });
  beforeEach(() => {
    setting.clock.advance(15 * 60_000);
    browser = testBrowser(setting.app);
  });
  afterAll(() => setting.close());

  const client = () => setting.world.service.database.client;
  const userOf = (id: string) =>
    client().user.findUniqueOrThrow({ where: { teamId_id: { teamId: setting.world.teamId, id } } });
  const issue = async (): Promise<string> => {
    const { email } = await userOf(setting.world.people.admin.id);
    return admin.issueSetupCode(setting.world.service, email);
  };
  const submit = (page: Page, fields: Record<string, string>, visitor = browser) =>
    visitor.submit(page, "/setup", { ...entries, ...fields });

  it("without a code that may be used the page does not exist, also for its form", {
    meta: { proves: ["onboarding.setup.page"] },
  }, async () => {
    const { csrf = "" } = (await browser.get("/login")).fields;
    for (const answer of [
      await browser.get("/setup"),
      await submit({ ...(await browser.get("/login")), fields: { csrf } }, { code: "ABCD-EFGH-JKMN-PQRS" }),
    ]) {
      expect([answer.status, answer.text.includes("This address does not exist.")]).toEqual([404, true]);
    }
  });

  it("the page is a form without script that is not cached; only a hash of the code is stored", {
    meta: { proves: ["onboarding.setup.page", "onboarding.setup.code"] },
  }, async () => {
    const code = await issue();
    const page = await browser.get("/setup");
    expect([page.status, Object.keys(page.fields).sort()]).toEqual([
      200,
      ["code", "csrf", "email", "name", "password", "team"],
    ]);
    expect(Object.values({ ...page.fields, csrf: "" }).join("")).toBe("");
    expect(page.text).not.toContain("<script");
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    const rows = await client().passwordReset.findMany({ where: { teamId: setting.world.teamId, purpose: "setup" } });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(Buffer.from(rows[0]?.hash ?? []).includes(code.replaceAll("-", ""))).toBe(false);
  });

  it.each([
    ["a wrong code", { code: "ABCD-EFGH-JKMN-PQRS" }, 403, "This is not the code", "code"],
    ["no name of the team", { team: " " }, 400, "Enter a name for the team", "team"],
    ["no name", { name: " " }, 400, "Enter your name", "name"],
    ["a control character in the team", { team: "A\u0001" }, 400, "characters that nobody can see", "team"],
    ["a control character in the name", { name: "A\u0001" }, 400, "characters that nobody can see", "name"],
    ["a wrong address", { email: "ada" }, 400, "Enter an e-mail address", "email"],
    ["a leaked password", { password: "iloveyou1" }, 400, "leaked", "password"],
  ])(
    "%s is refused with the reason at its field, and what was typed is kept",
    {
      meta: { proves: ["onboarding.setup.page", "onboarding.password.weak"] },
    },
    async (_, given, status, reason, field) => {
      const fields = { code: await issue(), ...given };
      const answer = await submit(await browser.get("/setup"), fields);
      expect([answer.status, answer.text.includes(reason)]).toEqual([status, true]);
      expect(new RegExp(`<input id="${field}"[^>]*aria-invalid="true"`).test(answer.text)).toBe(true);
      expect(answer.fields).toMatchObject({ ...entries, ...fields, password: "" });
      expect(browser.cookies.has("kb_session")).toBe(false);
    },
  );

  it("ten wrong codes from a network are the last ones for 15 minutes, even of the right one", {
    meta: { proves: ["onboarding.setup.attempts"] },
  }, async () => {
    const code = await issue();
    const page = await browser.get("/setup");
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, n) => submit(page, { code: `ABCD-EFGH-JKMN-${1000 + n}` })),
    );
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    const throttled = await submit(page, { code });
    expect([throttled.status, throttled.text.includes("Too many wrong codes")]).toEqual([429, true]);
    expect(Number(throttled.headers.get("Retry-After"))).toBeGreaterThan(0);
    setting.clock.advance(15 * 60_000);
    const other = { code, password: "iloveyou1" };
    expect((await submit(page, other)).status).toBe(400);
  });

  it("a form from another site is rejected, and the code stays valid", {
    meta: { proves: ["decision.access.csrf"] },
  }, async () => {
    const code = await issue();
    const page = await browser.get("/setup");
    const headers = { Origin: "https://evil.example" };
    expect((await browser.submit(page, "/setup", { ...entries, code }, headers)).status).toBe(403);
    expect((await submit(page, { code, csrf: "" })).status).toBe(403);
    expect((await browser.get("/setup")).status).toBe(200);
  });

  it("a code ends after 24 hours, with a newer one, and with a change of the password", {
    meta: { proves: ["onboarding.setup.code"] },
  }, async () => {
    const { service, people } = setting.world;
    const old = await issue();
    const newer = await issue();
    expect((await submit(await browser.get("/setup"), { code: old })).status).toBe(403);
    setting.clock.advance(24 * 3_600_000);
    expect((await browser.get("/setup")).status).toBe(404);
    await issue();
    await admin.setPassword(service, (await userOf(people.admin.id)).email, printed);
    expect((await browser.get("/setup")).status).toBe(404);
    expect(newer).not.toBe(old);
  });

  it("of 50 uses at once one sets the team up and logs its admin in; then the page does not exist", {
    meta: { proves: ["onboarding.setup.code", "onboarding.setup.page"] },
  }, async () => {
    const { service, teamId, people } = setting.world;
    const code = await issue();
    const page = await browser.get("/setup", { "Accept-Language": "ar" });
    expect(page.text).toContain('<html lang="ar" dir="rtl">');
    const visitors = Array.from({ length: 50 }, () => testBrowser(setting.app));
    for (const { cookies } of visitors) for (const [name, value] of browser.cookies) cookies.set(name, value);
    const answers = await Promise.all(
      visitors.map((visitor, n) => submit(page, { code: code.toLowerCase(), password: `${password} ${n}` }, visitor)),
    );
    const entered = answers.findIndex(({ status }) => status === 303);
    expect(answers[entered]?.headers.get("Location")).toBe("/");
    expect(answers.filter(({ status }) => [403, 404, 429].includes(status))).toHaveLength(49);
    expect((await browser.get("/setup")).status).toBe(404);

    const token = visitors[entered]?.cookies.get("kb_session") ?? "";
    const actor = await authenticateSession(service.database, token, setting.clock.now());
    expect(actor).toMatchObject({ userId: people.admin.id, userName: entries.name });
    expect(await client().team.findUnique({ where: { id: teamId } })).toMatchObject({ name: "Otters" });
    expect(await userOf(people.admin.id)).toMatchObject({ name: entries.name, email: entries.email });
    expect(await authenticateApiKey(service.database, people.admin.key, setting.clock.now())).not.toBeNull();

    const statusOf = async (email: string, typed: string): Promise<number> =>
      (await browser.submit(await browser.get("/login"), "/login", { email, password: typed })).status;
    expect(await statusOf(entries.email, printed)).toBe(401);
    expect(await statusOf(entries.email, `${password} ${entered}`)).toBe(303);
    const audited = await client().auditEntry.findMany({ where: { teamId, action: "team.setup" } });
    expect(audited).toMatchObject([{ userId: people.admin.id, outcome: "success", targetType: "team" }]);
  });
});
