import { authenticateSession } from "@kb/auth";
import { TestPasskey } from "@kb/auth/testing";
import { admin, flushAudit } from "@kb/core";
import { addPerson, type GivenPasskey, givePasskey, type Person } from "@kb/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Page, type TestBrowser, testBrowser } from "./browser.ts";
import { openSetting, password, type Setting } from "./setting.ts";

describe("a log-in by passkey", { timeout: 120_000 }, () => {
  let setting: Setting;
  let browser: TestBrowser;
  let person: Person;
  let given: GivenPasskey;
  beforeAll(async () => {
    setting = await openSetting();
  });
  beforeEach(async () => {
    setting.clock.advance(15 * 60_000);
    browser = testBrowser(setting.app);
    const { world } = setting;
    person = await addPerson(world, "Members");
    await admin.setPassword(world.service, person.email, password);
    given = await givePasskey(world, person);
  });
  afterAll(() => setting.close());

  /** Opens the page that asks for a passkey alone. */
  const ask = async (visitor = browser): Promise<Page> =>
    visitor.submit(await visitor.get("/login?return_to=/documents/1"), "/login/passkey");
  const enterPassword = async (visitor = browser): Promise<Page> =>
    visitor.submit(await visitor.get("/login?return_to=/documents/1"), "/login", { email: person.email, password });
  /** Sends the answer of a passkey to the question of a page. */
  const answer = (page: Page, by = given.passkey, use: object = {}, visitor = browser): Promise<Page> => {
    const action = page.text.includes('action="/login/passkey"') ? "/login/passkey" : "/login/code";
    const credential = JSON.stringify(by.use({ challenge: challengeIn(page), ...use }));
    return visitor.submit(page, action, { credential });
  };
  const isLoggedIn = async (visitor = browser): Promise<boolean> => {
    const { database } = setting.world.service;
    const actor = await authenticateSession(database, visitor.cookies.get("kb_session") ?? "", setting.clock.now());
    return actor?.userId === person.id;
  };
  const logIns = async () => {
    const { database } = setting.world.service;
    await flushAudit({ database });
    return database.client.auditEntry.findMany({
      where: { teamId: setting.world.teamId, targetId: person.id, action: "session.login" },
      orderBy: { id: "asc" },
      select: { outcome: true, details: true },
    });
  };

  it("needs nothing else where the passkey checked its user, leads to the destination, and is audited", {
    meta: { proves: ["onboarding.passkeys.log-in"] },
  }, async () => {
    const done = await answer(await ask());
    expect(done.status).toBe(303);
    expect(done.headers.get("Location")).toBe("/documents/1");
    expect(await isLoggedIn()).toBe(true);
    expect(await logIns()).toEqual([{ outcome: "success", details: { method: "passkey" } }]);
  });

  it("is refused alone where it did not check its user, and is the second step after the password", {
    meta: { proves: ["onboarding.passkeys.log-in"] },
  }, async () => {
    const refused = await answer(await ask(), given.passkey, { isUserVerified: false });
    expect(refused.status).toBe(401);
    expect(refused.text).toContain("did not check your finger");
    expect(await isLoggedIn()).toBe(false);
    const failed = { outcome: "failed", details: { method: "passkey", reason: "unverified" } };
    expect(await logIns()).toEqual([failed]);
    const done = await answer(await enterPassword(), given.passkey, { isUserVerified: false });
    expect(done.headers.get("Location")).toBe("/documents/1");
    expect(await isLoggedIn()).toBe(true);
    expect(await logIns()).toEqual([
      failed,
      { outcome: "success", details: { method: "password", secondFactor: "passkey" } },
    ]);
  });

  it("the pages name their one script by its hash, and those without it have none", {
    meta: { proves: ["onboarding.passkeys.page"] },
  }, async () => {
    for (const page of [await ask(), await enterPassword()]) {
      expect(page.status).toBe(200);
      const policy = page.headers.get("Content-Security-Policy");
      expect(policy).toMatch(/default-src 'none';.* script-src 'sha256-[\w+/]{43}='; form-action 'self'$/);
      expect(page.text.match(/<script/g)).toHaveLength(1);
      expect(page.headers.get("Cache-Control")).toBe("no-store");
    }
    const plain = await browser.get("/login?other=1");
    expect(plain.text).not.toContain("<script");
    expect(plain.headers.get("Content-Security-Policy")).not.toContain("script-src");
  });

  it("a recovery code replaces it in the second step", {
    meta: { proves: ["onboarding.second-factor.recovery"] },
  }, async () => {
    const page = await enterPassword();
    expect(page.text).toContain("Recovery code");
    expect((await browser.submit(page, "/login/code", { code: "000000" })).status).toBe(401);
    await browser.submit(await enterPassword(), "/login/code", { code: given.recoveryCodes[0] ?? "" });
    expect(await isLoggedIn()).toBe(true);
  });

  it("is refused for an unknown passkey, another site, a changed or repeated answer, and for another browser", {
    meta: { proves: ["onboarding.passkeys.checked", "onboarding.passkeys.challenge"] },
  }, async () => {
    const other = testBrowser(setting.app);
    const refused = async (page: Page): Promise<void> => {
      expect(page.status).toBe(401);
      expect(page.text).toContain("This passkey cannot log you in");
      expect(await isLoggedIn()).toBe(false);
    };
    await refused(await answer(await ask(), new TestPasskey("http://localhost:3000")));
    await refused(await answer(await ask(), given.passkey, { origin: "https://evil.example" }));
    await refused(await answer(await ask(), given.passkey, { rpId: "evil.example" }));
    await refused(await answer(await ask(), given.passkey, { challenge: "AAAA" }));
    for (const credential of ["{}", "null", "no json", '{"id":"AAAA","more":1}']) {
      await refused(await browser.submit(await ask(), "/login/passkey", { credential }));
    }
    const stolen = await ask(other);
    const credential = JSON.stringify(given.passkey.use({ challenge: challengeIn(stolen) }));
    await refused(await browser.submit(await ask(), "/login/passkey", { credential }));
    const late = await ask();
    setting.clock.advance(5 * 60_000);
    await refused(await answer(late));
    const page = await ask();
    const once = JSON.stringify(given.passkey.use({ challenge: challengeIn(page) }));
    const uses = await Promise.all(
      Array.from({ length: 50 }, () => browser.submit(page, "/login/passkey", { credential: once })),
    );
    expect(uses.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it("a challenge of one kind of log-in is worth nothing in the other, and nobody else's passkey is a second step", {
    meta: { proves: ["onboarding.passkeys.challenge", "onboarding.passkeys.checked"] },
  }, async () => {
    const alone = await ask();
    const second = await enterPassword();
    const crossed = (page: Page) => JSON.stringify(given.passkey.use({ challenge: challengeIn(page) }));
    const one = await browser.submit(alone, "/login/passkey", { credential: crossed(second) });
    const two = await browser.submit(second, "/login/code", { credential: crossed(alone) });
    expect([one.status, two.status]).toEqual([401, 401]);
    const { passkey } = await givePasskey(setting.world, await addPerson(setting.world, "Members"));
    expect((await answer(await enterPassword(), passkey)).status).toBe(401);
    expect(await isLoggedIn()).toBe(false);
    const failed = (await logIns()).map(({ details }) => details);
    expect(failed).toContainEqual({ method: "password", step: "second", passkey: "other" });
  });

  it("is refused and audited if the passkey may be a copy, of a suspended user, and after it was removed", {
    meta: { proves: ["onboarding.passkeys.copied", "onboarding.passkeys.log-in"] },
  }, async () => {
    expect((await answer(await ask(), given.passkey, { counter: 9 })).status).toBe(303);
    browser = testBrowser(setting.app);
    expect((await answer(await ask(), given.passkey, { counter: 9 })).status).toBe(401);
    expect((await answer(await enterPassword(), given.passkey, { counter: 8 })).status).toBe(401);
    expect((await logIns()).slice(1)).toEqual([
      { outcome: "failed", details: { method: "passkey", reason: "counter" } },
      { outcome: "failed", details: { method: "password", step: "second", passkey: "counter" } },
    ]);
    const { service } = setting.world;
    const page = await ask();
    await admin.suspendUser(service, person.email);
    expect((await answer(page, given.passkey, { counter: 20 })).status).toBe(401);
    await admin.unsuspendUser(service, person.email);
    await admin.resetSecondFactor(service, person.email);
    expect((await answer(await ask(), given.passkey, { counter: 21 })).status).toBe(401);
    expect(await isLoggedIn()).toBe(false);
  });

  it("needs the form of the page, and is not offered where browsers have no passkeys", {
    meta: { proves: ["onboarding.passkeys.page", "onboarding.passkeys.site"] },
  }, async () => {
    const page = await ask();
    expect((await testBrowser(setting.app).submit(page, "/login/passkey")).status).toBe(403);
    expect((await browser.get("/login/passkey")).headers.get("Location")).toBe("/login");
    const numbered = await openSetting({ appUrl: "http://127.0.0.1:3000" });
    try {
      const visitor = testBrowser(numbered.app, { origin: "http://127.0.0.1:3000" });
      const plain = await visitor.get("/login");
      expect(plain.text).not.toContain("/login/passkey");
      expect((await visitor.submit(plain, "/login/passkey")).status).toBe(404);
    } finally {
      await numbered.close();
    }
  });
});

/** Returns the challenge in the options of a page. */
function challengeIn({ text }: Page): string {
  const [, challenge = ""] = /&quot;challenge&quot;:&quot;([\w-]+)&quot;/.exec(text) ?? [];
  return challenge;
}
