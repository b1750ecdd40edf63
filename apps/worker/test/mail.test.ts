import { sealer } from "@kb/auth";
import { admin, type Service } from "@kb/core";
import { testSecret } from "@kb/core/testing";
import { newId } from "@kb/db";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { WorkerOptions } from "../src/index.ts";
import {
  createCertificate,
  headerOf,
  type MailServer,
  type MailServerOptions,
  openMailServer,
  partsOf,
} from "./mail-server.ts";
import { openSetting, type Setting } from "./setting.ts";

const from = "Wiki <wiki@example.com>";
const minute = 60_000;

describe("mails", () => {
  let setting: Setting;
  let server: MailServer;
  const mail = { sealer: sealer(testSecret, "mails") };
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());
  let stop: (() => Promise<void>)[] = [];
  beforeEach(() => {
    setting.clock.advance(24 * 60 * minute);
  });
  afterEach(async () => {
    for (const close of stop.reverse()) await close();
    stop = [];
    await setting.world.service.database.client.mail.deleteMany({ where: { teamId: setting.world.teamId } });
  });

  const serve = async (options: MailServerOptions = {}): Promise<MailServer> => {
    server = await openMailServer(options);
    stop.push(server.close);
    return server;
  };
  const work = (
    settings: { url?: string; certificateAuthority?: string } = {},
    options: Partial<WorkerOptions> = {},
  ): void => {
    const worker = setting.work({
      mail: { settings: { url: `smtp://127.0.0.1:${server.port}`, from, ...settings }, service: mail },
      ...options,
    });
    stop.push(() => worker.close());
  };
  const service = (): Service => ({ ...setting.world.service, mail });
  const queue = (to = `${newId()}@example.org`): Promise<string> =>
    admin.queueTestMail(service(), { to, team: setting.world.teamId });
  const mailOf = async (id: string) =>
    setting.world.service.database.client.mail.findUniqueOrThrow({
      where: { teamId_id: { teamId: setting.world.teamId, id } },
    });
  const until = async (id: string, status: string, attempts = 1): Promise<void> => {
    await expect
      .poll(
        async () => {
          const row = await mailOf(id);
          return [row.status, row.attempts, row.leaseUntil];
        },
        { timeout: 20_000 },
      )
      .toEqual([status, attempts, null]);
  };

  it("a mail is sent once, as plain text and as a page, from the sender of the installation", {
    meta: { proves: ["onboarding.mail.sent"] },
  }, async () => {
    await serve();
    work();
    const id = await queue("Reader@Example.org");
    await until(id, "sent");
    expect(server.taken).toHaveLength(1);
    const [{ source, ...envelope } = { source: "" }] = server.taken;
    expect(envelope).toMatchObject({ from: "wiki@example.com", to: ["reader@example.org"] });
    expect(headerOf(source, "From")).toBe("Wiki <wiki@example.com>");
    expect(headerOf(source, "Message-ID")).toBe(`<${id}@localhost>`);
    expect(headerOf(source, "Auto-Submitted")).toBe("auto-generated");
    const parts = partsOf(source);
    const { name } = await setting.world.service.database.client.team.findUniqueOrThrow({
      where: { id: setting.world.teamId },
    });
    expect(parts["text/plain"]).toContain(name);
    expect(parts["text/html"]).toContain('<html lang="en" dir="ltr">');
    expect(parts["text/html"]).toContain(name);
  });

  it("a mail goes over TLS with the log-in of SMTP_URL, whose special characters are encoded", {
    meta: { proves: ["onboarding.mail.server"] },
  }, async () => {
    const { key, cert } = await createCertificate();
    const expected = { username: "wiki@example.com", password: "p@ss/word:1" };
    const onAuth: MailServerOptions["onAuth"] = ({ username, password }, _session, callback) =>
      username === expected.username && password === expected.password
        ? callback(null, { user: username })
        : callback(Object.assign(new Error("Authentication failed"), { responseCode: 535 }));
    await serve({ key, cert, onAuth });
    const [user, password] = [expected.username, expected.password].map(encodeURIComponent);
    // Not an address of this machine by its name, so that TLS is required.
    work({ url: `smtp://${user}:${password}@0.0.0.0:${server.port}`, certificateAuthority: cert });
    const id = await queue();
    await until(id, "sent");
    expect(server.taken).toMatchObject([{ secure: true, user: expected.username }]);
  });

  it.each([
    ["a server whose certificate nobody trusts", true, /certificate/i],
    ["a server that is not this machine and offers no TLS", false, /TLS/i],
  ])(
    "a password is not sent to %s",
    { meta: { proves: ["onboarding.mail.server"] } },
    async (_, offersTls, failure) => {
      const passwords: string[] = [];
      const onAuth: MailServerOptions["onAuth"] = ({ username, password }, _session, callback) => {
        passwords.push(password ?? "");
        callback(null, { user: username ?? "" });
      };
      await serve({ ...(offersTls ? await createCertificate() : {}), onAuth, allowInsecureAuth: true });
      work({ url: `smtp://wiki:secret@0.0.0.0:${server.port}` });
      const id = await queue();
      await until(id, "pending");
      expect([server.taken, passwords]).toEqual([[], []]);
      expect((await mailOf(id)).failure).toMatch(failure);
    },
  );

  it("a wrong password of the service is tried again later, as an operator can correct it", {
    meta: { proves: ["onboarding.mail.retries"] },
  }, async () => {
    let accepts = false;
    const onAuth: MailServerOptions["onAuth"] = ({ username }, _session, callback) =>
      accepts
        ? callback(null, { user: username ?? "" })
        : callback(Object.assign(new Error("Authentication failed"), { responseCode: 535 }));
    await serve({ onAuth, allowInsecureAuth: true });
    work({ url: `smtp://wiki:wrong@127.0.0.1:${server.port}` });
    const id = await queue();
    await until(id, "pending");
    expect((await mailOf(id)).failure).toMatch(/auth/i);
    accepts = true;
    setting.clock.advance(minute);
    await until(id, "sent", 2);
    expect(server.taken).toHaveLength(1);
    expect((await mailOf(id)).failure).toBeNull();
  });

  it("a mail that the server refuses for now is tried again with growing delays until it is taken", {
    meta: { proves: ["onboarding.mail.retries"] },
  }, async () => {
    let refusals = 3;
    await serve({
      refuse: () => {
        refusals -= 1;
        return refusals < 0 ? undefined : { responseCode: 451, message: "4.7.1 Greylisted" };
      },
    });
    work();
    const id = await queue();
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await until(id, "pending", attempt);
      const { nextAttemptAt } = await mailOf(id);
      delays.push(nextAttemptAt.getTime() - setting.clock.now().getTime());
      setting.clock.advance(delays.at(-1) ?? 0);
    }
    await until(id, "sent", 4);
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(server.taken).toHaveLength(1);
  });

  it("a server that cannot be reached is tried again", { meta: { proves: ["onboarding.mail.retries"] } }, async () => {
    await serve();
    await server.close();
    work();
    const id = await queue();
    await until(id, "pending");
    expect((await mailOf(id)).failure).toMatch(/ECONNREFUSED|connect/i);
  });

  it("a mail that the server refuses for good is not tried again, is listed with the reason, and can be sent again", {
    meta: { proves: ["onboarding.mail.dead-letters"] },
  }, async () => {
    let refuses = true;
    await serve({ refuse: () => (refuses ? { responseCode: 550, message: "5.1.1 No such mailbox" } : undefined) });
    work();
    const id = await queue();
    await until(id, "failed");
    setting.clock.advance(6 * 60 * minute);
    const failed = await admin.listMails(service(), { status: "failed", most: 10 });
    expect(failed).toMatchObject([{ id, attempts: 1, failure: expect.stringContaining("No such mailbox") }]);
    expect(await admin.countMails(service())).toEqual({ pending: 0, sent: 0, failed: 1, withdrawn: 0 });
    refuses = false;
    expect(await admin.retryMails(service(), id)).toBe(1);
    await until(id, "sent");
    expect(await admin.retryMails(service(), undefined)).toBe(0);
    await expect(admin.retryMails(service(), id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("two workers send each of 60 mails once", { meta: { proves: ["onboarding.mail.once"] } }, async () => {
    await serve();
    const ids = await Promise.all(Array.from({ length: 60 }, () => queue()));
    work();
    work();
    for (const id of ids) await until(id, "sent");
    const sent = server.taken.map(({ source }) => headerOf(source, "Message-ID"));
    expect(sent.sort()).toEqual(ids.map((id) => `<${id}@localhost>`).sort());
  });

  it("a mail whose link has expired, or whose reader was suspended, is not sent", {
    meta: { proves: ["onboarding.mail.obsolete"] },
  }, async () => {
    const { client } = setting.world.service.database;
    const { teamId, people } = setting.world;
    const expired = await queue();
    setting.clock.advance(25 * 60 * minute);
    const suspended = await queue();
    const user = people.viewer.id;
    await client.mail.update({ where: { teamId_id: { teamId, id: suspended } }, data: { userId: user } });
    await client.user.update({ where: { teamId_id: { teamId, id: user } }, data: { suspendedAt: new Date() } });
    await serve();
    work();
    await until(await queue(), "sent");
    await expect.poll(() => client.mail.count({ where: { teamId, id: { in: [expired, suspended] } } })).toBe(0);
    expect(server.taken).toHaveLength(1);
  });
});
