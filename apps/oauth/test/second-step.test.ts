import { authenticateSession } from "@kb/auth";
import { totpCode } from "@kb/auth/testing";
import { admin, flushAudit, operations } from "@kb/core";
import {
  addPerson,
  giveSecondFactor,
  outcomeOf,
  type Person,
  sessionCallerOf,
  type TestAuthenticator,
  takeSecondFactor,
} from "@kb/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Page, type TestBrowser, testBrowser } from "./browser.ts";
import { openSetting, password, type Setting } from "./setting.ts";

describe("the second step of a log-in", { timeout: 120_000 }, () => {
  let setting: Setting;
  let browser: TestBrowser;
  let person: Person;
  let app: TestAuthenticator;
  beforeAll(async () => {
    setting = await openSetting();
  });
  beforeEach(async () => {
    setting.clock.advance(15 * 60_000);
    browser = testBrowser(setting.app);
    const { world } = setting;
    person = await addPerson(world, "Members");
    await admin.setPassword(world.service, person.email, password);
    app = await giveSecondFactor(world, person);
  });
  afterAll(() => setting.close());

  /** The link to the beginning keeps the destination, and lets another account log in. */
  const beginAgain = 'href="/login?return_to=%2Fdocuments%2F1&amp;other=1"';
  const code = (): string => totpCode(app.secret, setting.clock.now());
  const enterPassword = async (visitor = browser, returnTo = "/documents/1"): Promise<Page> =>
    visitor.submit(await visitor.get(`/login?${new URLSearchParams({ return_to: returnTo })}`), "/login", {
      email: person.email,
      password,
    });
  const enterCode = (page: Page, typed: string, visitor = browser): Promise<Page> =>
    visitor.submit(page, "/login/code", { code: typed });
  const actorOf = (visitor: TestBrowser) =>
    authenticateSession(setting.world.service.database, visitor.cookies.get("kb_session") ?? "", setting.clock.now());
  const logIns = async (action = "session.login") => {
    const { database } = setting.world.service;
    await flushAudit({ database });
    return database.client.auditEntry.findMany({
      where: { teamId: setting.world.teamId, targetId: person.id, action },
      orderBy: { id: "asc" },
      select: { outcome: true, details: true },
    });
  };

  it("the password alone starts no session; the page asks for a code without script, and the code logs in", {
    meta: { proves: ["onboarding.second-factor.log-in", "onboarding.second-factor.audit"] },
  }, async () => {
    const page = await enterPassword();
    expect(page.status).toBe(200);
    expect(Object.keys(page.fields).sort()).toEqual(["code", "csrf", "ticket"]);
    expect(page.text).toContain('autocomplete="one-time-code"');
    expect(page.text).not.toContain("<script");
    expect(page.text).toContain(beginAgain);
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(page.headers.get("Content-Security-Policy")).toMatch(/default-src 'none'.*form-action 'self'/);
    expect(browser.cookies.has("kb_session")).toBe(false);
    expect(await logIns()).toEqual([]);
    expect(await logIns("session.firstStep")).toEqual([{ outcome: "success", details: { method: "password" } }]);
    const answer = await enterCode(page, code());
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/documents/1"]);
    expect(await actorOf(browser)).toMatchObject({ userId: person.id });
    expect(await logIns()).toEqual([
      { outcome: "success", details: { method: "password", secondFactor: "totp", recoveryCodesLeft: 10 } },
    ]);
  });

  it("a code works once, whoever brings it, and wrong ones are told and audited", {
    meta: { proves: ["onboarding.second-factor.totp", "onboarding.second-factor.audit"] },
  }, async () => {
    const used = code();
    const page = await enterPassword();
    expect((await enterCode(page, used)).status).toBe(303);
    const thief = testBrowser(setting.app);
    for (const typed of [used, "000000", ""]) {
      const answer = await enterCode(await enterPassword(thief), typed, thief);
      expect(answer.status).toBe(401);
      expect(answer.text).toContain("This code is not valid.");
      expect(answer.text).toContain('aria-invalid="true"');
      expect(answer.fields.code).toBe("");
    }
    expect(thief.cookies.has("kb_session")).toBe(false);
    expect((await logIns()).slice(1)).toEqual(
      Array.from({ length: 3 }, () => ({ outcome: "failed", details: { method: "password", step: "second" } })),
    );
    const again = await enterCode(page, totpCode(app.secret, new Date(setting.clock.now().getTime() + 30_000)));
    expect(again.status).toBe(303);
  });

  it("a recovery code logs in once, and the audit log says how many are left", {
    meta: { proves: ["onboarding.second-factor.recovery", "onboarding.second-factor.audit"] },
  }, async () => {
    const [recovery = ""] = app.recoveryCodes;
    const page = await enterPassword();
    const attempts = await Promise.all(Array.from({ length: 5 }, () => enterCode(page, recovery)));
    expect(attempts.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401, 401]);
    expect((await logIns()).filter(({ outcome }) => outcome === "success")).toEqual([
      { outcome: "success", details: { method: "password", secondFactor: "recovery_code", recoveryCodesLeft: 9 } },
    ]);
  });

  it("after ten wrong codes from any address even the right one is refused for 15 minutes", {
    meta: { proves: ["onboarding.second-factor.limit"] },
  }, async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const visitor = testBrowser(setting.app, { address: `203.0.113.${attempt}` });
      expect((await enterCode(await enterPassword(visitor), "000000", visitor)).status).toBe(401);
    }
    const page = await enterPassword();
    const answer = await enterCode(page, code());
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "900"]);
    expect(answer.text).toContain("Try again in 15 minutes");
    const recovered = testBrowser(setting.app);
    expect((await enterCode(await enterPassword(recovered), app.recoveryCodes[0] ?? "", recovered)).status).toBe(303);
    setting.clock.advance(15 * 60_000);
    expect((await enterCode(await enterPassword(), code())).status).toBe(303);
  });

  it("wrong codes of somebody who is logged in do not refuse the codes of a log-in", {
    meta: { proves: ["onboarding.second-factor.limit"] },
  }, async () => {
    const caller = await sessionCallerOf(setting.world, person);
    const guess = () => outcomeOf(caller.run(operations.removeSecondFactor, { code: "000000" }));
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await guess()).toBe("validation_error");
    expect(await guess()).toBe("rate_limited");
    expect((await enterCode(await enterPassword(), code())).status).toBe(303);
  });

  it("the page ends after ten minutes, after a change of the password, a suspension and a removal of the factor", {
    meta: { proves: ["onboarding.second-factor.log-in"] },
  }, async () => {
    const { world, clock } = setting;
    const ended = async (change: () => unknown): Promise<void> => {
      const visitor = testBrowser(setting.app);
      const page = await enterPassword(visitor);
      const right = code();
      await change();
      const answer = await enterCode(page, right, visitor);
      expect([answer.status, visitor.cookies.has("kb_session")]).toEqual([403, false]);
      expect(answer.text).toContain("This log-in has ended");
      expect(answer.text).toContain(beginAgain);
    };
    await ended(() => clock.advance(10 * 60_000));
    await ended(() => admin.suspendUser(world.service, person.email));
    await admin.unsuspendUser(world.service, person.email);
    await ended(() => takeSecondFactor(world, person));
    app = await giveSecondFactor(world, person);
    await ended(() => admin.setPassword(world.service, person.email, "another password of a length"));
  });

  it("a forged form, a forged ticket and one of another purpose start no session", {
    meta: { proves: ["onboarding.second-factor.log-in"] },
  }, async () => {
    const page = await enterPassword();
    const stranger = testBrowser(setting.app);
    expect((await stranger.submit(page, "/login/code", { code: code() })).status).toBe(403);
    for (const ticket of [
      "",
      "x",
      `${page.fields.ticket}A`,
      "A".repeat(12_000),
      (page.fields.ticket ?? "").slice(0, -6),
    ]) {
      expect((await browser.submit(page, "/login/code", { code: code(), ticket })).status).toBe(403);
    }
    expect(browser.cookies.has("kb_session")).toBe(false);
    const typed = await browser.get("/login/code");
    expect([typed.status, typed.headers.get("Location")]).toEqual([303, "/login"]);
  });

  it("the address to which the log-in leads is kept, up to its longest", {
    meta: { proves: ["onboarding.second-factor.log-in"] },
  }, async () => {
    const longest = `/${"a".repeat(5_999)}`;
    const answer = await enterCode(await enterPassword(browser, longest), code());
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, longest]);
  });
});
