import { randomBytes } from "node:crypto";
import { authenticateApiKey, createTotpSecret, hasSecondFactor, sealer, storeSecondFactor } from "@kb/auth";
import { findLogInLink, findPasswordReset } from "@kb/core";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, makeHome } from "./process.ts";

let test: TestDatabase;
let home: Home;

beforeAll(async () => {
  test = await testDatabase();
  home = await makeHome({ DATABASE_URL: test.url });
  const admin = ["--admin-email", "ada@example.com", "--admin-password", "first password"];
  await home.json(["team", "create", "--name", "Ours", ...admin]);
});

afterAll(async () => {
  await home?.remove();
  await test?.drop();
});

describe("the commands for people and keys", { timeout: 240_000 }, () => {
  it("kb user list and unsuspend, and kb group list, show and reactivate people", {
    meta: { proves: ["onboarding.kb"] },
  }, async () => {
    const email = "hedy@example.com";
    await home.json(["user", "create", "--email", email, "--name", "Hedy", "--group", "viewers"]);
    const key = String((await home.json(["key", "create", "--user", email, "--scopes", "read"])).key);
    await home.json(["user", "suspend", "--email", email]);
    expect(await emailsOf("--suspended")).toContain(email);
    expect(await home.json(["user", "unsuspend", "--email", email])).toMatchObject({ email, name: "Hedy" });
    expect(await authenticateApiKey(test.database, key, new Date())).not.toBeNull();
    expect(await emailsOf("--suspended")).not.toContain(email);
    expect(await emailsOf("--group", "VIEWERS")).toEqual([email]);
    expect(await emailsOf()).toEqual(expect.arrayContaining([email, "ada@example.com"]));
    expect((await home.kb(["user", "list", "--group", "viewers"])).stdout).toBe(`Hedy <${email}> (Viewers)\n`);
    const { groups } = await home.json(["group", "list"]);
    expect(groups).toEqual(expect.arrayContaining([expect.objectContaining({ name: "Viewers", memberCount: 1 })]));
    expect(await home.refusal(["user", "list", "--group", "nobody"])).toMatchObject({ code: "not_found" });
  });

  it("kb user reset-second-factor removes the second factor of somebody who lost it", {
    meta: { proves: ["onboarding.second-factor.lost"] },
  }, async () => {
    const email = "margaret@example.com";
    const { id, teamId } = await home.json(["user", "create", "--email", email, "--name", "M", "--group", "viewers"]);
    const account = { teamId: String(teamId), userId: String(id) };
    const secret = createTotpSecret();
    await test.database.transaction((tx) =>
      storeSecondFactor(
        tx,
        sealer(randomBytes(32).toString("hex"), "webhooks"),
        { account, secret, step: 0, replaces: null },
        new Date(),
      ),
    );
    const args = ["user", "reset-second-factor", "--email", email];
    expect(await home.json(args)).toMatchObject({ email, removed: true });
    expect(await hasSecondFactor(test.database, account)).toBe(false);
    expect((await home.kb(args)).stdout).toBe(`${email} has no second factor.\n`);
    const nobody = ["user", "reset-second-factor", "--email", "nobody@example.com"];
    expect(await home.refusal(nobody)).toMatchObject({ code: "not_found" });
  });

  it("kb user invite prints links without a mail server, and queues mails with one", {
    meta: { proves: ["onboarding.kb", "onboarding.invitation.create"] },
  }, async () => {
    const args = ["user", "invite", "--email", "joan@example.com", "Ada@example.com", "--group", "Editors"];
    const { invitations, members } = await home.json(args);
    expect(members).toEqual(["ada@example.com"]);
    const link = expect.stringMatching(new RegExp(`^${home.url}/join/[\\w-]{43}$`));
    expect(invitations).toMatchObject([{ email: "joan@example.com", link }]);
    const server = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "kb@example.com" };
    expect(await home.refusal(args, server)).toMatchObject({ error: expect.stringContaining("APP_SECRET") });
    const mail = { ...server, APP_SECRET: randomBytes(32).toString("hex") };
    expect(await home.json(args, mail)).toMatchObject({ invitations: [{ email: "joan@example.com", link: null }] });
    const { mails } = await home.json(["mail", "list"], mail);
    expect(mails).toMatchObject([{ kind: "invitation", recipient: "joan@example.com", status: "pending" }]);
    expect(await home.refusal(["user", "invite", "--email", "nonsense"])).toMatchObject({ code: "validation_error" });
  });

  it("kb team create without a password prints a link to set one", {
    meta: { proves: ["onboarding.kb", "onboarding.reset.admin"] },
  }, async () => {
    const other = await testDatabase();
    const args = ["team", "create", "--name", "Theirs", "--admin-email", "grete@example.com"];
    try {
      const { adminEmail, passwordLink } = await home.json(args, { DATABASE_URL: other.url });
      expect(adminEmail).toBe("grete@example.com");
      const token = new URL(String(passwordLink)).pathname.replace("/reset/", "");
      const found = await findPasswordReset({ database: other.database, clock: { now: () => new Date() } }, token);
      expect(found).toMatchObject({ email: "grete@example.com" });
    } finally {
      await other.drop();
    }
  });

  it("kb key list shows keys without themselves, and kb key revoke ends one", {
    meta: { proves: ["onboarding.kb"] },
  }, async () => {
    const made = ["key", "create", "--user", "ada@example.com", "--scopes", "read", "--name", "To revoke"];
    const { id, key } = await home.json(made);
    const listed = async (...more: string[]) => {
      const { keys } = await home.json(["key", "list", "--user", "ada@example.com", ...more]);
      return JSON.stringify(keys);
    };
    expect(await listed()).toContain(String(id));
    expect(await listed()).not.toContain(String(key));
    expect((await home.kb(["key", "list"])).stdout).toContain("To revoke of ada (read; never used)");
    expect(await home.json(["key", "revoke", "--id", String(id)])).toMatchObject({ id, name: "To revoke" });
    expect(await authenticateApiKey(test.database, String(key), new Date())).toBeNull();
    expect([(await listed()).includes(String(id)), (await listed("--revoked")).includes(String(id))]).toEqual([
      false,
      true,
    ]);
    expect(await home.refusal(["key", "revoke", "--id", "nonsense"])).toMatchObject({ code: "validation_error" });
  });

  it("kb user log-in-link prints a link that logs somebody in, and kb user password says where it is of no use yet", {
    meta: { proves: ["onboarding.log-in-link"] },
  }, async () => {
    const email = "ada@example.com";
    const off = {
      PASSWORD_LOGIN: "false",
      OIDC_ISSUER: "http://127.0.0.1:9",
      OIDC_CLIENT_ID: "kb",
      OIDC_CLIENT_SECRET: "s",
    };
    const { link } = await home.json(["user", "log-in-link", "--email", email], off);
    expect(link).toMatch(new RegExp(`^${home.url}/login/link/[\\w-]{43}$`));
    const clock = { now: () => new Date() };
    const token = String(link).split("/").at(-1) ?? "";
    expect(await findLogInLink({ database: test.database, clock }, token)).toMatchObject({ email });
    expect(await home.refusal(["user", "log-in-link", "--email", "nobody@example.com"])).toMatchObject({
      code: "not_found",
    });
    const set = ["user", "password", "--email", email, "--password", "first password"];
    expect((await home.kb(set, off)).stdout).toContain("Passwords are switched off");
  });

  it("kb doctor names the groups of the single sign-on that no team has", {
    meta: { proves: ["decision.running.kb-doctor", "onboarding.groups.audit"] },
  }, async () => {
    const away = { OIDC_ISSUER: "http://127.0.0.1:9", OIDC_CLIENT_ID: "kb", OIDC_CLIENT_SECRET: "a secret" };
    const mapped = { ...away, OIDC_CREATE_USERS: "viewers", OIDC_GROUPS_CLAIM: "groups" };
    const sentence = async (map: object): Promise<string> =>
      (await home.kb(["doctor"], { ...mapped, OIDC_GROUPS_MAP: JSON.stringify(map) })).stdout;
    expect(await sentence({ a: "ADMINS", b: ["Editors", "Stars"] })).toMatch(
      /warn {2}sso groups {3}no team has the groups of OIDC_GROUPS_MAP named Stars: create them in Settings > Groups/,
    );
    expect(await sentence({ a: "ADMINS" })).toMatch(/ok {4}sso groups {3}1 follow the single sign-on, and all exist/);
  });
});

/** The addresses that `kb user list` shows. */
async function emailsOf(...more: string[]): Promise<unknown[]> {
  const { users } = await home.json(["user", "list", ...more]);
  return Array.isArray(users) ? users.map(({ email }) => email) : [];
}
