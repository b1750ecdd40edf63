import { admin } from "@kb/core";
import { addPerson } from "@kb/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestBrowser, testBrowser } from "./browser.ts";
import { type IdentityProvider, identityProvider, type Person } from "./identity-provider.ts";
import { openSetting, type Setting } from "./setting.ts";
import { actorOf, keepOneTeam, redirectUri, settingsOf, signIn } from "./signing-in.ts";

const byValue = new Map([
  ["/wiki/admins", ["Admins"]],
  ["/wiki/writers", ["editors", "Members"]],
  ["/nobody", ["No such group"]],
]);
const groups = { claim: "groups", byValue };

describe("groups that follow a claim of the single sign-on", () => {
  let provider: IdentityProvider;
  let setting: Setting;
  beforeAll(async () => {
    provider = await identityProvider(redirectUri);
    setting = await openSetting({ singleSignOn: settingsOf(provider, { groups, createUsersIn: "Viewers" }) });
    await keepOneTeam(setting);
  });
  afterAll(async () => {
    await setting.close();
    await provider.close();
  });

  const logIn = async (email: string, claims: Person, visitor: TestBrowser = testBrowser(setting.app)) => {
    provider.person = { email, email_verified: true, name: "Ada", ...claims };
    return { page: await signIn(provider, visitor), visitor };
  };
  const groupsOf = async (email: string): Promise<string[]> => {
    const users = await admin.listUsers(setting.world.service, {});
    return (users.find((user) => user.email === email)?.groups ?? []).map(({ name }) => name);
  };
  const auditOf = async (email: string) => {
    const { id: targetId, teamId } = await admin.findUser(setting.world.service, email);
    const where = { teamId, targetId, action: "users.groups" };
    return setting.world.service.database.client.auditEntry.findMany({ where, orderBy: { id: "asc" } });
  };
  /** A viewer who is in a group of the team that no claim decides about, too. */
  const somebody = async (): Promise<string> => {
    const { world } = setting;
    const { id, email } = await addPerson(world, "Viewers");
    const name = `Readers ${email}`;
    const { teamId } = world;
    const group = { teamId, id: crypto.randomUUID(), name, capabilities: ["document.read"], createdAt: new Date() };
    await world.service.database.client.group.create({ data: group });
    await world.service.database.client.membership.create({ data: { teamId, userId: id, groupId: group.id } });
    return email;
  };

  it("joins and leaves the decided groups at each log-in, keeps the others, and is audited", {
    meta: { proves: ["onboarding.groups.follow", "onboarding.groups.audit"] },
  }, async () => {
    const email = await somebody();
    const own = ["Viewers", `Readers ${email}`];
    const first = await logIn(email, { groups: ["/wiki/writers", "/elsewhere"] });
    expect(first.page.status).toBe(303);
    expect((await groupsOf(email)).toSorted()).toEqual(["Editors", "Members", ...own].toSorted());
    expect((await actorOf(first.visitor, setting))?.capabilities.has("document.publish")).toBe(true);
    await logIn(email, { groups: ["/wiki/admins"] });
    expect((await groupsOf(email)).toSorted()).toEqual(["Admins", ...own].toSorted());
    await logIn(email, { groups: ["/wiki/admins"] });
    await logIn(email, { groups: [] });
    expect((await groupsOf(email)).toSorted()).toEqual(own.toSorted());
    // The earlier session has only what its user has now.
    expect((await actorOf(first.visitor, setting))?.capabilities.has("document.publish")).toBe(false);
    const changes = (await auditOf(email)).map(({ details }) => details);
    const counts = changes.map((details) => [
      Reflect.get(Object(details), "added").length,
      Reflect.get(Object(details), "removed").length,
    ]);
    expect([counts, changes[0]]).toEqual([
      [
        [2, 0],
        [1, 2],
        [0, 1],
      ],
      expect.objectContaining({ method: "single_sign_on" }),
    ]);
  });

  it("decides about people who join, and about those without the claim", {
    meta: { proves: ["onboarding.groups.follow"] },
  }, async () => {
    await logIn("newcomer@example.org", { groups: "/wiki/writers" });
    expect(await groupsOf("newcomer@example.org")).toEqual(["Editors", "Members", "Viewers"]);
    await logIn("newcomer@example.org", {});
    expect(await groupsOf("newcomer@example.org")).toEqual(["Viewers"]);
  });

  it("takes a group away even if the log-in ends at its second step", {
    meta: { proves: ["onboarding.groups.follow"] },
  }, async () => {
    const { world } = setting;
    const email = await somebody();
    await logIn(email, { groups: ["/wiki/admins"] });
    const { database } = world.service;
    const require = (secondFactorRequired: boolean) =>
      database.client.team.update({ where: { id: world.teamId }, data: { secondFactorRequired } });
    await require(true);
    const { visitor } = await logIn(email, { groups: [] });
    await require(false);
    expect([visitor.cookies.has("kb_session"), await groupsOf(email)]).toEqual([
      false,
      ["Viewers", expect.stringMatching(/^Readers/)].toSorted(),
    ]);
  });

  it("never takes the last active admin out of their group, and says so", {
    meta: { proves: ["onboarding.groups.last-admin", "onboarding.groups.audit"] },
  }, async () => {
    const { world, lines } = setting;
    const { email } = world.people.admin;
    expect((await logIn(email, { groups: [] })).page.status).toBe(303);
    expect(await groupsOf(email)).toEqual(["Admins"]);
    expect((await auditOf(email)).at(-1)?.details).toMatchObject({ removed: [], kept: "last_admin" });
    expect(lines.join("")).toContain("they stay an admin");
  });

  it.each<[string, Person, RegExp]>([
    ["an object", { groups: { "/wiki/admins": true } }, /form that cannot be read/],
    ["a number", { groups: 7 }, /form that cannot be read/],
    ["a list of other things", { groups: ["/wiki/admins", { name: "/wiki/admins" }] }, /form that cannot be read/],
    ["a nested list", { groups: [["/wiki/admins"]] }, /form that cannot be read/],
    ["more groups than Microsoft sends", { _claim_names: { groups: "src1" } }, /in more groups than Example ID sends/],
    ["the same, of the implicit flow", { hasgroups: true }, /in more groups than Example ID sends/],
  ])(
    "lets nobody in whose claim is %s, and changes no group",
    {
      meta: { proves: ["onboarding.groups.hostile"] },
    },
    async (_what, claims, reason) => {
      const email = await somebody();
      await logIn(email, { groups: ["/wiki/writers"] });
      const { page, visitor } = await logIn(email, claims);
      expect([page.status, visitor.cookies.has("kb_session")]).toEqual([403, false]);
      expect(page.text).toMatch(reason);
      expect(await groupsOf(email)).toContain("Editors");
    },
  );

  it("reads 10,000 groups, and gives none for values that only resemble one", {
    meta: { proves: ["onboarding.groups.hostile"] },
  }, async () => {
    const email = await somebody();
    const many = Array.from({ length: 10_000 }, (_, index) => `/group/${index}`);
    const startedAt = performance.now();
    expect((await logIn(email, { groups: [...many, "/wiki/writers", "/wiki/writers"] })).page.status).toBe(303);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await groupsOf(email)).toContain("Editors");
    const resembling = ["/WIKI/ADMINS", "/wiki/admins ", "/wiki/admins\0", "/wiki/ádmins", "Admins", "__proto__", ""];
    const huge = "/wiki/admins".repeat(100_000);
    expect((await logIn(email, { groups: [...resembling, "constructor", huge] })).page.status).toBe(303);
    expect(await groupsOf(email)).toEqual(expect.not.arrayContaining(["Admins", "Editors"]));
    expect(JSON.stringify(await auditOf(email))).not.toContain("/group/");
  });

  it("logs the names of groups that the team does not have", {
    meta: { proves: ["onboarding.groups.audit"] },
  }, async () => {
    await logIn(await somebody(), { groups: ["/nobody"] });
    expect(setting.lines.join("")).toMatch(/No such group.*OIDC_GROUPS_MAP names groups/);
  });
});
