import { inspect, shapes, timeout } from "@kb/testing/chromium";
import type { WatchedOptions } from "@kb/testing/page-problems";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Chromium, fillIn, openChromium } from "./chromium.ts";
import { password, type Setting } from "./setting.ts";

describe("the login and logout pages, in Chromium", () => {
  let chromium: Chromium;
  let setting: Setting;
  let origin: string;
  beforeAll(async () => {
    const provider = { issuer: "http://127.0.0.1:9", clientId: "kb", clientSecret: "x", name: "Example ID" };
    chromium = await openChromium({ singleSignOn: provider });
    ({ setting, origin } = chromium);
  }, timeout);
  beforeEach(() => setting.clock.advance(15 * 60_000));
  afterAll(() => chromium?.close(), timeout);

  const withPage = (options: WatchedOptions, use: (page: Page) => Promise<void>) => chromium.withPage(options, use);

  it("without script: a wrong password, the right one, and logout", {
    meta: { proves: ["decision.access.log-in-forms"] },
    timeout,
  }, async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      const { email, name } = setting.world.people.member;
      await page.goto(`${origin}/login?return_to=%2Flogout`);
      await fillIn(page, email, "not the password");
      expect(await page.getByRole("alert").textContent()).toContain("is incorrect");
      expect(await page.getByLabel("E-mail address").inputValue()).toBe(email);
      expect(await page.getByLabel("Password").inputValue()).toBe("");
      await fillIn(page, email, password);
      expect(new URL(page.url()).pathname).toBe("/logout");
      expect(await page.textContent("main")).toContain(name);
      const cookies = await page.context().cookies();
      expect(cookies.find((cookie) => cookie.name === "kb_session")).toMatchObject({ httpOnly: true, sameSite: "Lax" });
      await page.getByRole("button", { name: "Log out" }).click();
      expect(await page.getByRole("heading").textContent()).toBe("You are logged out");
      expect((await page.context().cookies()).map((cookie) => cookie.name)).not.toContain("kb_session");
    });
  });

  it("only by keyboard: the e-mail address has the focus, Enter submits the form", { timeout }, async () => {
    await withPage({}, async (page) => {
      await page.goto(`${origin}/login?return_to=%2Flogout`);
      await page.locator("input[name=email]:focus").waitFor();
      await page.keyboard.type(setting.world.people.viewer.email);
      await page.keyboard.press("Tab");
      await page.keyboard.type("wrong");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      // It is what has to be typed again.
      await page.locator("input[name=password]:focus").waitFor();
      await page.keyboard.type(password);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Log out?" }).waitFor();
    });
  });

  it("a page of another site can neither log a user in or out nor frame the page", {
    meta: { proves: ["decision.access.csrf"] },
    timeout,
  }, async () => {
    await withPage({}, async (page) => {
      await page.goto(`${origin}/login?return_to=%2Flogout`);
      await fillIn(page, setting.world.people.member.email, password);
      for (const [action, fields] of [
        ["/logout", ""],
        ["/login", `<input name="email" value="x@example.org"><input name="password" value="x">`],
      ]) {
        await page.route("http://evil.example/", (route) =>
          route.fulfill({
            contentType: "text/html",
            body: `<form method="post" action="${origin}${action}">${fields}<button>Win</button></form><iframe src="${origin}/logout"></iframe>`,
          }),
        );
        await page.goto("http://evil.example/");
        const [answer] = await Promise.all([page.waitForResponse(`${origin}${action}`), page.getByText("Win").click()]);
        // Lax: the cookie of the log-in does not come along, and the form is none of ours.
        expect(answer.status()).toBe(action === "/login" ? 403 : 303);
        await page.unroute("http://evil.example/");
      }
      await page.goto(`${origin}/logout`);
      expect(await page.getByRole("heading").textContent()).toBe("Log out?");
    });
  });

  it.each(shapes)(
    "axe-core finds no problem on any page, $width pixels wide, $scheme, and nothing is cut off",
    { timeout },
    async ({ width, scheme }) => {
      await withPage({ viewport: { width, height: 800 }, colorScheme: scheme }, async (page) => {
        const look = (name: string): Promise<void> => inspect(page, name, { width, scheme });
        await page.goto(`${origin}/login`);
        await look("log-in");
        await fillIn(page, setting.world.people.viewer.email, "wrong");
        await page.getByRole("alert").waitFor();
        await look("wrong-password");
        await page.goto(`${origin}/login/nothing`);
        await look("not-found");
        await page.goto(`${origin}/login/callback?code=x`);
        await look("refused");
        await page.goto(`${origin}/logout`);
        await look("logged-out");
        await page.goto(`${origin}/login?return_to=%2Flogout`);
        await fillIn(page, setting.world.people.viewer.email, password);
        await page.getByRole("heading", { name: "Log out?" }).waitFor();
        await look("log-out");
      });
    },
  );
});
