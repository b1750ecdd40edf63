import { authenticateSession } from "@kb/auth";
import { admin, operations } from "@kb/core";
import { addPerson, callerOf, type Person } from "@kb/core/testing";
import { newId } from "@kb/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testBrowser } from "./browser.ts";
import { openSetting, password, type Setting } from "./setting.ts";

describe("the links that confirm a new e-mail address, at /login/email/{token}", { timeout: 120_000 }, () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());

  const pathOf = (link: string | null): string => new URL(link ?? "").pathname;
  /** Somebody who asked for another address, and the paths of both links. */
  const begin = async () => {
    const { world } = setting;
    const person = await addPerson(world, "Members");
    await admin.setPassword(world.service, person.email, password);
    const session = await world.session(person);
    const email = `${newId()}@example.org`;
    await callerOf(world, session).run(operations.startEmailChange, { email });
    const boss = callerOf(world, await world.session(world.people.admin));
    const { links } = await boss.run(operations.createEmailChangeLinks, { id: person.id });
    return { person, session, email, old: pathOf(links.old), next: pathOf(links.new) };
  };
  const logIn = async ({ email }: Pick<Person, "email">) => {
    const browser = testBrowser(setting.app);
    await browser.submit(await browser.get("/login"), "/login", { email, password });
    return browser.cookies.has("kb_session");
  };

  it("ask before they confirm, without script, log nobody in, and then the new address logs in", {
    meta: { proves: ["onboarding.email.page", "onboarding.email.after"] },
  }, async () => {
    const { person, session, email, old, next } = await begin();
    const browser = testBrowser(setting.app);
    const first = await browser.get(old);
    expect(first.status).toBe(200);
    for (const part of [person.email, email]) expect(first.text).toContain(part);
    expect(first.text).not.toContain("<script");
    expect(first.headers.get("Cache-Control")).toBe("no-store");
    const waiting = await browser.submit(first, old);
    expect(waiting.text).toContain("open the link in the other mailbox too");
    expect(await logIn({ email })).toBe(false);
    // To open a link changes nothing: programs that look at mails do so.
    for (let count = 0; count < 3; count += 1) expect((await browser.get(next)).status).toBe(200);
    const done = await browser.submit(await browser.get(next), next);
    expect(done.status).toBe(200);
    expect(done.text).toContain("The address is changed");
    expect(browser.cookies.has("kb_session")).toBe(false);
    expect(await logIn({ email })).toBe(true);
    expect(await logIn(person)).toBe(false);
    const { database } = setting.world.service;
    expect(await authenticateSession(database, session.token, setting.clock.now())).toMatchObject({ email });
  });

  it("are not valid when used, of another kind or unknown, need the form of the page, and stay out of the log", {
    meta: { proves: ["onboarding.email.link", "onboarding.email.page"] },
  }, async () => {
    const { old, next } = await begin();
    const browser = testBrowser(setting.app);
    const page = await browser.get(old);
    expect((await testBrowser(setting.app).submit(page, old)).status).toBe(403);
    expect((await browser.submit(page, old)).status).toBe(200);
    expect((await browser.submit(page, old)).status).toBe(404);
    expect((await browser.get(old)).text).toContain("This link is not valid");
    const token = next.split("/").at(-1) ?? "";
    for (const path of [`/reset/${token}`, `/join/${token}`, "/login/email/x", `/login/email/${"a".repeat(43)}`]) {
      expect((await browser.get(path)).status).toBe(404);
    }
    expect(setting.lines.join("\n")).not.toContain(token);
  });

  it("say in Arabic what they ask", { meta: { proves: ["onboarding.email.page"] } }, async () => {
    const { next } = await begin();
    const page = await testBrowser(setting.app).get(next, { "Accept-Language": "ar" });
    expect(page.text).toContain('<html lang="ar" dir="rtl">');
    expect(page.text).toContain("أكّد البريد الإلكتروني الجديد");
  });

  it("say that an account has the address by now", {
    meta: { proves: ["onboarding.email.same-answer"] },
  }, async () => {
    const { email, next } = await begin();
    const { world } = setting;
    await admin.createUser(world.service, { email, name: "Quicker", group: "Members", team: world.teamId });
    const browser = testBrowser(setting.app);
    const taken = await browser.submit(await browser.get(next), next);
    expect(taken.status).toBe(409);
    expect(taken.text).toContain("This address is in use");
  });
});
