import { authenticateSession } from "@kb/auth";
import { totpCode } from "@kb/auth/testing";
import { admin, operations } from "@kb/core";
import { addPerson, callerOf, giveSecondFactor, outcomeOf, type Person, sessionCallerOf } from "@kb/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Page, type TestBrowser, testBrowser } from "./browser.ts";
import { openSetting, password, type Setting } from "./setting.ts";

describe("a log-in to a team that requires a second factor", { timeout: 120_000 }, () => {
  let setting: Setting;
  let browser: TestBrowser;
  let person: Person;
  beforeAll(async () => {
    setting = await openSetting();
    const { service, teamId } = setting.world;
    await service.database.client.team.update({ where: { id: teamId }, data: { secondFactorRequired: true } });
  });
  beforeEach(async () => {
    setting.clock.advance(60_000);
    browser = testBrowser(setting.app);
    person = await addPerson(setting.world, "Members");
    await admin.setPassword(setting.world.service, person.email, password);
  });
  afterAll(() => setting?.close());

  const enterPassword = async (visitor = browser): Promise<Page> =>
    visitor.submit(await visitor.get("/login?return_to=%2Fdocuments%2F1"), "/login", { email: person.email, password });
  const enterCode = (page: Page, code: string, visitor = browser): Promise<Page> =>
    visitor.submit(page, "/login/code", { code });
  /** The key of the app, as the page shows it. */
  const keyOf = (page: Page): string => /<code dir="ltr">([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? "";
  const right = (page: Page): string => totpCode(keyOf(page), setting.clock.now());
  const actorOf = (visitor: TestBrowser) =>
    authenticateSession(setting.world.service.database, visitor.cookies.get("kb_session") ?? "", setting.clock.now());

  it("a member without one sets it up after the password, gets recovery codes, and is logged in only then", {
    meta: { proves: ["onboarding.second-factor.required"] },
  }, async () => {
    const page = await enterPassword();
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("<script");
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(browser.cookies.has("kb_session")).toBe(false);
    const again = await enterCode(page, "000000");
    expect([again.status, keyOf(again)]).toEqual([401, keyOf(page)]);
    expect(browser.cookies.has("kb_session")).toBe(false);
    const done = await enterCode(again, right(again));
    expect(done.status).toBe(200);
    const codes = [...done.text.matchAll(/<code dir="ltr">([0-9A-Z-]{19})<\/code>/g)].map(([, code]) => code ?? "");
    expect(new Set(codes).size).toBe(10);
    expect(done.text).toContain('href="/documents/1"');
    expect(await actorOf(browser)).toMatchObject({ userId: person.id });
    const next = testBrowser(setting.app);
    const asked = await enterPassword(next);
    expect(Object.keys(asked.fields).sort()).toEqual(["code", "csrf", "ticket"]);
    expect((await enterCode(asked, codes[0] ?? "", next)).status).toBe(303);
  });

  it("a set-up works once and for one person, and ends with a change of the password", {
    meta: { proves: ["onboarding.second-factor.required"] },
  }, async () => {
    const page = await enterPassword();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => enterCode(page, right(page))));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403]);
    const factors = await setting.world.service.database.client.secondFactor.count({
      where: { userId: person.id, teamId: setting.world.teamId },
    });
    expect(factors).toBe(1);

    const other = await addPerson(setting.world, "Members");
    await admin.setPassword(setting.world.service, other.email, password);
    const foreign = testBrowser(setting.app);
    const theirs = await foreign.submit(await foreign.get("/login"), "/login", { email: other.email, password });
    const stolen = await foreign.submit(theirs, "/login/code", { code: right(page), set_up: page.fields.set_up ?? "" });
    expect(stolen.status).toBe(403);
    await admin.setPassword(setting.world.service, other.email, "another password of a length");
    expect((await enterCode(theirs, right(theirs), foreign)).status).toBe(403);
  });

  it("an invited person sets it up when they join", {
    meta: { proves: ["onboarding.second-factor.required"] },
  }, async () => {
    const { service, teamId } = setting.world;
    const email = `joining-${person.id}@example.org`;
    const { invitations } = await admin.inviteUsers(service, { emails: [email], team: teamId });
    const path = new URL(invitations[0]?.link ?? "").pathname;
    const page = await browser.submit(await browser.get(path), path, {
      name: "New One",
      password: "seven unrelated words, at least",
    });
    expect([page.status, browser.cookies.has("kb_session")]).toEqual([200, false]);
    expect((await enterCode(page, right(page))).status).toBe(200);
    expect(await actorOf(browser)).toMatchObject({ email });
  });
});

describe("the switch of a team that requires a second factor", { timeout: 120_000 }, () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting?.close());

  it("needs an admin with a second factor and a fresh proof; it logs out members without one, and none may be turned off", {
    meta: { proves: ["onboarding.second-factor.switch"] },
  }, async () => {
    const { world, clock } = setting;
    const { admin: boss, member, editor } = world.people;
    const bossCaller = callerOf(world, await world.session(boss), { isFresh: false });
    const require = (secondFactorRequired: boolean, by = bossCaller) =>
      outcomeOf(by.run(operations.updateTeam, { secondFactorRequired }));
    expect(await require(true)).toBe("conflict");
    expect(await require(true, await sessionCallerOf(world, editor))).toBe("forbidden");
    const { recoveryCodes } = await giveSecondFactor(world, boss);
    const proven = await giveSecondFactor(world, member);
    const memberCaller = await sessionCallerOf(world, member);
    const editorCaller = await sessionCallerOf(world, editor);
    clock.advance(15 * 60_000);
    expect(await require(true)).toBe("proof_required");
    await bossCaller.run(operations.proveOwner, { proof: recoveryCodes[0] ?? "" });
    expect(await require(true)).toBe("done");
    expect(await bossCaller.run(operations.getTeam, {})).toMatchObject({ secondFactorRequired: true });
    expect(await outcomeOf(memberCaller.run(operations.getSession, {}))).toBe("done");
    expect(await outcomeOf(editorCaller.run(operations.getSession, {}))).toBe("authentication_required");
    expect(await memberCaller.run(operations.getSecondFactor, {})).toMatchObject({ required: true });
    const remove = () =>
      outcomeOf(memberCaller.run(operations.removeSecondFactor, { code: proven.recoveryCodes[0] ?? "" }));
    expect(await remove()).toBe("conflict");
    expect(await require(false)).toBe("done");
    expect(await remove()).toBe("done");
  });
});
