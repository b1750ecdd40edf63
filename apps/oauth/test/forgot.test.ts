import { authenticateSession, sealer, verifyPassword } from "@kb/auth";
import { flushAudit, mailContentOf, mailResetLinks } from "@kb/core";
import { testSecret } from "@kb/core/testing";
import { newId } from "@kb/db";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestBrowser, testBrowser } from "./browser.ts";
import { openSetting, password, type Setting } from "./setting.ts";

const next = "another password of a length";
const hour = 60 * 60 * 1000;

describe("a forgotten password", { timeout: 120_000 }, () => {
  let setting: Setting;
  let browser: TestBrowser;
  const mail = { sealer: sealer(testSecret, "mails") };
  beforeAll(async () => {
    setting = await openSetting({ mail });
  });
  beforeEach(() => {
    setting.clock.advance(25 * hour);
    browser = testBrowser(setting.app);
  });
  afterAll(() => setting.close());

  const client = () => setting.world.service.database.client;
  const teamId = () => setting.world.teamId;
  const ask = async (email: string, visitor = browser) =>
    visitor.submit(await visitor.get("/forgot"), "/forgot", { email });
  const write = () => mailResetLinks({ ...setting.world.service, mail }, 50);
  /** The path in the latest mail to an address; null if there is none. */
  const mailedPath = async (recipient: string): Promise<string | null> => {
    const where = { teamId: teamId(), recipient, status: "pending" };
    const row = await client().mail.findFirst({ where, orderBy: { id: "desc" } });
    const link =
      row === null ? null : mailContentOf({ ...row, obsolete: false }, mail, "https://wiki.example.com")?.link;
    return link == null ? null : new URL(link).pathname;
  };
  const requestLink = async (email: string): Promise<string> => {
    await ask(email, testBrowser(setting.app, { address: `198.51.100.${Math.floor(Math.random() * 250)}` }));
    await write();
    return (await mailedPath(email)) ?? "";
  };
  const userOf = (id: string) => client().user.findUniqueOrThrow({ where: { teamId_id: { teamId: teamId(), id } } });

  it("the log-in page leads to a form without script, which mails a link", {
    meta: { proves: ["onboarding.reset.page", "onboarding.reset.link"] },
  }, async () => {
    const { viewer } = setting.world.people;
    expect((await browser.get("/login")).text).toContain('href="/forgot"');
    const page = await browser.get("/forgot");
    expect([page.status, Object.keys(page.fields).sort()]).toEqual([200, ["csrf", "email"]]);
    expect(page.text).not.toContain("<script");
    const answer = await browser.submit(page, "/forgot", { email: ` ${viewer.email.toUpperCase()} ` });
    expect([answer.status, answer.text.includes("Look at your mail")]).toEqual([200, true]);
    expect(await write()).toBe(1);
    expect(await mailedPath(viewer.email)).toMatch(/^\/reset\/[\w-]{43}$/);
    expect(await write()).toBe(0);
  });

  it("the answer and the stored request are the same for an account, an unknown address and a suspended user", {
    meta: { proves: ["onboarding.reset.same-answer"] },
  }, async () => {
    const { editor, outsider } = setting.world.people;
    await client().user.update({
      where: { teamId_id: { teamId: outsider.actor.teamId, id: outsider.id } },
      data: { suspendedAt: setting.clock.now() },
    });
    const emails = [editor.email, "nobody@example.org", outsider.email, "", "a\0b@example.org", "my password"];
    const answers = [];
    for (const email of emails) {
      const { status, text, headers } = await ask(email, testBrowser(setting.app, { address: "203.0.113.9" }));
      headers.delete("X-Request-Id");
      const shown = [...headers].filter(([name]) => name !== "set-cookie");
      answers.push(JSON.stringify([status, text.replaceAll(/name="csrf" value="[^"]+"/g, ""), shown]));
    }
    expect(new Set(answers).size).toBe(1);
    const requests = await client().passwordResetRequest.findMany();
    expect(requests).toHaveLength(emails.length);
    const stored = requests.map(({ sealed }) => Buffer.from(sealed).toString("latin1")).join();
    for (const email of [editor.email, "my password"]) expect(stored).not.toContain(email);
    expect(await write()).toBe(emails.length);
    const mailed = await client().mail.findMany({ where: { teamId: teamId(), createdAt: setting.clock.now() } });
    expect(mailed.map(({ recipient }) => recipient)).toEqual([editor.email]);
    expect(await client().mail.count({ where: { teamId: outsider.actor.teamId } })).toBe(0);
  });

  it("a link sets the password once, ends every session and connected app of the user only, and is audited", {
    meta: { proves: ["onboarding.reset.link", "onboarding.reset.ends-access", "onboarding.reset.page"] },
  }, async () => {
    const { world, clock } = setting;
    const { member, viewer } = world.people;
    const own = await world.session(member);
    const other = await world.session(viewer);
    const path = await requestLink(member.email);
    const page = await browser.get(path);
    expect(page.fields.email).toBe(member.email);
    const answer = await browser.submit(page, path, { password: next });
    expect([answer.status, answer.text.includes("Your password is set")]).toEqual([200, true]);
    expect(browser.cookies.has("kb_session")).toBe(false);
    const { passwordHash } = await userOf(member.id);
    expect(await verifyPassword(passwordHash ?? "", next)).toBe(true);
    const { database } = world.service;
    expect(await authenticateSession(database, own.token, clock.now())).toBeNull();
    expect(await authenticateSession(database, other.token, clock.now())).not.toBeNull();
    expect((await browser.get(path)).status).toBe(404);
    expect((await browser.submit(page, path, { password })).status).toBe(404);
    await flushAudit(world.service);
    const entries = await client().auditEntry.findMany({
      where: { teamId: teamId(), userId: member.id, action: { startsWith: "password." } },
      orderBy: { action: "asc" },
    });
    expect(entries.map(({ action, outcome, credentialKind }) => [action, outcome, credentialKind])).toEqual([
      ["password.forgot", "success", "none"],
      ["password.reset", "success", "none"],
    ]);
  });

  it("of 50 uses of a link at once one succeeds", { meta: { proves: ["onboarding.reset.link"] } }, async () => {
    const { viewer } = setting.world.people;
    const path = await requestLink(viewer.email);
    const page = await browser.get(path);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => browser.submit(page, path, { password: `${next} ${n}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49);
  });

  it("a link ends after an hour, with a newer one, with a change of the address, and with a suspension", {
    meta: { proves: ["onboarding.reset.link"] },
  }, async () => {
    const { id, email } = setting.world.people.editor;
    const where = { teamId_id: { teamId: teamId(), id } };
    const statusOf = async (path: string) => (await browser.get(path)).status;
    const old = await requestLink(email);
    const newer = await requestLink(email);
    expect([await statusOf(old), await statusOf(newer)]).toEqual([404, 200]);
    await client().user.update({ where, data: { email: `${newId()}@example.org` } });
    expect(await statusOf(newer)).toBe(404);
    await client().user.update({ where, data: { email, suspendedAt: setting.clock.now() } });
    expect(await statusOf(newer)).toBe(404);
    await client().user.update({ where, data: { suspendedAt: null } });
    expect(await statusOf(newer)).toBe(200);
    setting.clock.advance(hour);
    expect(await statusOf(newer)).toBe(404);
  });

  it("a leaked password is refused with the reason, and the link stays valid", {
    meta: { proves: ["onboarding.password.weak"] },
  }, async () => {
    const path = await requestLink(setting.world.people.editor.email);
    const answer = await browser.submit(await browser.get(path), path, { password: "iloveyou1" });
    expect([answer.status, answer.text.includes("leaked")]).toEqual([400, true]);
    expect((await browser.get(path)).status).toBe(200);
  });

  it("tokens of invitations and of passwords are unknown to each other's page, and no log line contains one", {
    meta: { proves: ["onboarding.reset.link", "decision.access.no-usable-secret"] },
  }, async () => {
    const path = await requestLink(setting.world.people.editor.email);
    const token = path.slice("/reset/".length);
    expect((await browser.get(`/join/${token}`)).status).toBe(404);
    for (const unknown of ["x", "a".repeat(43), "%00"])
      expect((await browser.get(`/reset/${unknown}`)).status).toBe(404);
    expect((await browser.get(path)).status).toBe(200);
    expect(setting.lines.join("")).not.toContain(token);
  });

  it("five requests an hour for an address and twenty from a network are taken, known or not", {
    meta: { proves: ["onboarding.reset.same-answer"] },
  }, async () => {
    const { editor } = setting.world.people;
    for (const [index, email] of [editor.email, "nobody@example.org"].entries()) {
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) {
        const visitor = testBrowser(setting.app, { address: `192.0.2.${10 * index + n}` });
        statuses.push((await ask(email, visitor)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    }
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      statuses.push((await ask(`${newId()}@example.org`, testBrowser(setting.app, { address: "192.0.2.200" }))).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  it.each([
    ["without the token of the form", { csrf: "" }, {}],
    ["from another site", {}, { Origin: "https://evil.example" }],
  ])("forms sent %s are rejected", { meta: { proves: ["decision.access.csrf"] } }, async (_, fields, headers) => {
    const { email } = setting.world.people.editor;
    const path = await requestLink(email);
    const forgot = await browser.submit(await browser.get("/forgot"), "/forgot", { email, ...fields }, headers);
    const reset = await browser.submit(await browser.get(path), path, { password: next, ...fields }, headers);
    expect([forgot.status, reset.status]).toEqual([403, 403]);
    expect(await client().passwordResetRequest.count()).toBe(0);
  });

  it("without a mail server the page says whom to ask, and stores nothing", {
    meta: { proves: ["onboarding.reset.page"] },
  }, async () => {
    const without = await openSetting();
    try {
      const visitor = testBrowser(without.app);
      const page = await visitor.get("/forgot");
      expect(page.text).toContain("Ask an admin of your team");
      expect(page.text).not.toContain("<form");
      const { csrf = "" } = (await visitor.get("/login")).fields;
      await visitor.submit(page, "/forgot", { email: "x@example.org", csrf });
      expect(await without.world.service.database.client.passwordResetRequest.count()).toBe(0);
    } finally {
      await without.close();
    }
  });
});
