import { operations } from "@kb/core";
import { callerOf } from "@kb/core/testing";
import { inspect, shapes, timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Chromium, fillIn, openChromium } from "./chromium.ts";
import { authorizePathOf, testClient } from "./consenting.ts";
import { type BackSite, httpsSite, loopbackSite } from "./https-site.ts";
import type { Setting } from "./setting.ts";

const backHost = "app.example.com";

describe("consent for an app, in Chromium", () => {
  let web: BackSite;
  let native: BackSite;
  let chromium: Chromium;
  let setting: Setting;
  let origin: string;
  beforeAll(async () => {
    web = await httpsSite(backHost);
    native = await loopbackSite();
    chromium = await openChromium({}, [`--host-resolver-rules=MAP ${backHost} 127.0.0.1:${web.port}`]);
    ({ setting, origin } = chromium);
    const { service, teamId } = setting.world;
    await service.database.client.team.update({
      where: { id: teamId },
      data: { mcpEnabled: true, name: "Harbour & Sons" },
    });
  }, timeout);
  beforeEach(() => setting.clock.advance(15 * 60_000));
  afterAll(async () => {
    await chromium?.close();
    await web?.close();
    await native?.close();
  }, timeout);

  async function switchMcp(mcpEnabled: boolean): Promise<void> {
    const { service, teamId } = setting.world;
    await service.database.client.team.update({ where: { id: teamId }, data: { mcpEnabled, name: "Harbour & Sons" } });
  }
  const addressFor = async (
    redirectUri: string,
    registered = redirectUri,
    name: string | null = "Example Assistant",
  ) => {
    const client = await testClient(setting, { redirectUris: [registered], name });
    return `${origin}${authorizePathOf(client, { redirect_uri: redirectUri, state: "a b+c" })}`;
  };
  const noScript = { javaScriptEnabled: false, ignoreHTTPSErrors: true };
  const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();
  async function logInFor(page: Page, address: string, person = setting.world.people.member): Promise<void> {
    await page.goto(address);
    await fillIn(page, person.email);
    await page.getByRole("button", { name: "Allow" }).waitFor();
  }

  it("without script: a wrong password, the right one, consent, and a redirect to an https site", {
    meta: { proves: ["oauth.consent", "decision.consent.guarded"] },
    timeout,
  }, async () => {
    await chromium.withPage(noScript, async (page) => {
      await page.goto(await addressFor(`https://${backHost}/callback`));
      expect(new URL(page.url()).pathname).toBe("/login");
      await fillIn(page, setting.world.people.member.email, "wrong");
      expect(await page.getByRole("alert").textContent()).toContain("is incorrect");
      await fillIn(page, setting.world.people.member.email);
      expect(await heading(page)).toBe("Connect Example Assistant?");
      await page.getByRole("radio", { name: "Read", exact: true }).check();
      await page.getByRole("button", { name: "Allow" }).click();
      await page.getByRole("heading", { name: "Back in the app" }).waitFor();
      const back = web.asked.at(-1);
      expect([back?.pathname, back?.searchParams.get("state"), back?.searchParams.get("iss")]).toEqual([
        "/callback",
        "a b+c",
        origin,
      ]);
      expect(back?.searchParams.get("code")).toMatch(/^kbac_/);
    });
  });

  it("only by keyboard, with a redirect to a program on this computer at any port", {
    meta: { proves: ["oauth.consent", "decision.consent.accessible"] },
    timeout,
  }, async () => {
    const redirectUri = `http://127.0.0.1:${native.port}/callback`;
    await chromium.withPage({}, async (page) => {
      const focused = () => page.evaluate<string>("document.activeElement.value ?? document.activeElement.textContent");
      await logInFor(page, await addressFor(redirectUri, "http://127.0.0.1/callback"));
      expect(await page.textContent("main")).toContain("Check first.");
      const reached: string[] = [];
      for (let step = 0; step < 4; step += 1) {
        await page.keyboard.press("Tab");
        reached.push(await focused());
      }
      expect(reached).toEqual(["Use another account", "read write", "allow", "deny"]);
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("ArrowUp");
      expect(await focused()).toBe("read");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Back in the app" }).waitFor();
      expect(native.asked.at(-1)?.searchParams.get("code")).toMatch(/^kbac_/);
      const { service, teamId } = setting.world;
      const grant = await service.database.client.oauthGrant.findFirst({ where: { teamId }, orderBy: { id: "desc" } });
      expect(grant?.scopes).toEqual(["read"]);
    });
  });

  it("a redirect to an app on this device by its scheme passes the page's policy", {
    meta: { proves: ["oauth.consent", "decision.consent.guarded"] },
    timeout,
  }, async () => {
    await chromium.withPage({}, async (page) => {
      const said: string[] = [];
      page.on("console", (message) => said.push(message.text()));
      await logInFor(page, await addressFor("com.example.assistant:/callback"));
      expect(await page.textContent("main")).toContain("An app on this device opens");
      const sent = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: "Allow" }).click({ noWaitAfter: true });
      const answer = await sent;
      expect(answer.status()).toBe(303);
      const location = new URL((await answer.headerValue("Location")) ?? "");
      expect([location.protocol, location.searchParams.get("state")]).toEqual(["com.example.assistant:", "a b+c"]);
      // Where no app is installed for it Chromium stays where it was; a policy that forbade it would be named here.
      await page.waitForTimeout(200);
      expect(said.filter((text) => /Content Security Policy|form-action/i.test(text))).toEqual([]);
    });
  });

  it("deny: the app receives access_denied", { meta: { proves: ["oauth.consent"] }, timeout }, async () => {
    await chromium.withPage(noScript, async (page) => {
      await logInFor(page, await addressFor(`https://${backHost}/denied`));
      await page.getByRole("button", { name: "Deny" }).click();
      await page.getByRole("heading", { name: "Back in the app" }).waitFor();
      const back = web.asked.at(-1);
      expect([back?.pathname, back?.searchParams.get("error"), back?.searchParams.get("iss")]).toEqual([
        "/denied",
        "access_denied",
        origin,
      ]);
      // Nothing is sent once more by going back and on again.
      const before = web.asked.length;
      await page.reload();
      expect(web.asked).toHaveLength(before + 1);
    });
  });

  it("an app that the team has to approve: a member asks, is told of the approval, and goes on", {
    meta: { proves: ["onboarding.app-approval", "decision.consent.accessible"] },
    timeout,
  }, async () => {
    const { world } = setting;
    const admin = callerOf(world, await world.session(world.people.admin));
    await admin.run(operations.updateTeam, { appApprovalRequired: true });
    await chromium.withPage({}, async (page) => {
      await page.clock.install();
      await page.goto(await addressFor(`https://${backHost}/callback`));
      await fillIn(page, world.people.member.email);
      const ask = page.getByRole("button", { name: "Ask for approval" });
      await ask.waitFor();
      for (const shape of shapes) await inspect(page, "approval-needed", shape);
      await ask.click();
      const status = page.getByRole("status");
      await expect.poll(() => status.textContent()).toContain("The app waits for approval.");
      for (const shape of shapes) await inspect(page, "approval-asked", shape);
      const { data } = await admin.run(operations.listAppRequests, {});
      await admin.run(operations.approveApp, { id: data[0]?.id ?? "" });
      await page.clock.fastForward(10_000);
      await expect.poll(() => status.textContent()).toContain("An admin has approved this app.");
      await page.getByRole("link", { name: "Go on" }).click();
      await page.getByRole("button", { name: "Allow" }).waitFor();
    });
    await admin.run(operations.updateTeam, { appApprovalRequired: false });
  });

  it("another user logs in from the page and is asked for consent", { timeout }, async () => {
    await chromium.withPage(noScript, async (page) => {
      await logInFor(page, await addressFor(`https://${backHost}/callback`));
      await page.getByRole("link", { name: "Use another account" }).click();
      await fillIn(page, setting.world.people.viewer.email);
      expect(await page.textContent("main")).toContain(setting.world.people.viewer.email);
      expect(await page.textContent("main")).toContain("You have only read access yourself");
    });
  });

  it("another site can neither frame the page nor forge a decision", {
    meta: { proves: ["decision.consent.guarded"] },
    timeout,
  }, async () => {
    await chromium.withPage({ ignoreHTTPSErrors: true }, async (page) => {
      const address = await addressFor(`https://${backHost}/callback`);
      await logInFor(page, address);
      const form = await page.evaluate<Record<string, string>>(
        "Object.fromEntries([...document.querySelectorAll('input')].map((input) => [input.name, input.value]))",
      );
      const fields = Object.entries({ ...form, scope: "read write", decision: "allow" })
        .map(([name, value]) => `<input name="${name}" value="${value.replaceAll("&", "&amp;")}">`)
        .join("");
      const body = `<iframe src="${address.replaceAll("&", "&amp;")}"></iframe><form method="post" action="${origin}/oauth/authorize">${fields}<button>Win</button></form>`;
      for (const evil of ["http://evil.example/", `http://localhost:${new URL(origin).port}/evil`]) {
        await page.route(evil, (route) => route.fulfill({ contentType: "text/html", body }));
        await page.goto(evil);
        await page.waitForLoadState("networkidle");
        const [, frame] = page.frames();
        expect(await frame?.evaluate<string>("document.body?.innerText ?? ''").catch(() => "")).not.toContain(
          "Connect",
        );
        const before = web.asked.length;
        const [answer] = await Promise.all([
          page.waitForResponse((response) => response.request().method() === "POST"),
          page.getByText("Win").click(),
        ]);
        expect([answer.status(), web.asked.length]).toEqual([403, before]);
      }
    });
  });

  it.each(shapes)(
    "axe-core finds no problem on any page, $width pixels wide, $scheme, and nothing is cut off",
    { meta: { proves: ["decision.consent.accessible"] }, timeout },
    async (shape) => {
      const { width, scheme } = shape;
      await chromium.withPage({ viewport: { width, height: 800 }, colorScheme: scheme }, async (page) => {
        await page.goto(await addressFor(`https://${backHost}/callback`));
        await inspect(page, "consent-log-in", shape);
        await fillIn(page, setting.world.people.editor.email);
        await page.getByRole("button", { name: "Allow" }).waitFor();
        await inspect(page, "consent", shape);
        await page.goto(await addressFor("http://localhost:43117/callback"));
        await inspect(page, "consent-loopback", shape);
        const long = "An assistant with an overlong name ".repeat(3).trim().slice(0, 100);
        await page.goto(
          await addressFor(`https://${"very-long-".repeat(5)}host.example.com/callback`, undefined, long),
        );
        await inspect(page, "consent-long", shape);
        await page.goto(await addressFor("cursor://anysphere.cursor-mcp/oauth", undefined, "Ünïcödé Assistent"));
        await inspect(page, "consent-app", shape);
        const client = await testClient(setting, {
          id: `https://assistant.example.com/${width}/${scheme}`,
          kind: "document",
          name: "Claude",
        });
        await page.goto(`${origin}${authorizePathOf(client, { scope: "read" })}`);
        await inspect(page, "consent-document", shape);
        setting.clock.advance(15 * 60_000);
        await page.reload();
        await page.getByLabel("Password").fill("not my password");
        await page.getByRole("button", { name: "Allow" }).click();
        await page.getByText("This is not your password.").waitFor();
        await inspect(page, "consent-proof", shape);
        await page.goto(`${origin}/oauth/authorize?client_id=nobody`);
        await inspect(page, "consent-unknown-app", shape);
        await page.goto(`${origin}${authorizePathOf(client, { redirect_uri: "https://evil.example.com/" })}`);
        await inspect(page, "consent-wrong-redirect", shape);
        await switchMcp(false);
        await page.goto(await addressFor(`https://${backHost}/callback`));
        await inspect(page, "consent-mcp-off", shape);
        await switchMcp(true);
      });
    },
  );
});
