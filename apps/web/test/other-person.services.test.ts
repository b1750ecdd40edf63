import { callerOf } from "@kb/core/testing";
import { timeout } from "@kb/testing/chromium";
import { expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();
const { world } = site.setting;
const { editor, viewer } = world.people;
const { id } = await callerOf(world, editor).create({ title: "Deploying", text: "Read this first.", publish: true });

it("somebody else who logs in in another tab gets pages of their own in the open one", {
  meta: { proves: ["web.states.log-in"] },
  timeout,
}, async () => {
  const draft = await callerOf(world, editor).create({ title: "Only for writers" });
  // A request of the page may still name the person before: it is refused, or aborted by the new page.
  await site.withPage(editor, { expected: [/status of 401/], possible: [/status of 403/] }, async (page) => {
    await page.goto(`${site.origin}/drafts`);
    await started(page);
    await page.getByRole("main").getByRole("link", { name: "Only for writers" }).waitFor();
    await page.context().clearCookies({ name: "kb_session" });
    await page.getByRole("link", { name: "Trash" }).first().click();
    await page.getByRole("dialog", { name: "You are logged out" }).waitFor();
    const { token } = await world.session(viewer);
    const cookie = { name: "kb_session", value: token, url: site.origin, httpOnly: true, sameSite: "Lax" as const };
    await page.context().addCookies([cookie]);
    const loaded = page.waitForEvent("load");
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await loaded;
    await page.getByRole("button", { name: `Account: ${viewer.name}` }).waitFor();
    await page.getByRole("link", { name: "Drafts" }).first().click();
    await page.locator("h1", { hasText: "Drafts" }).waitFor();
    await page.locator("main .rows, main p.quiet").first().waitFor();
    expect(await page.content()).not.toContain("Only for writers");
    expect(await page.content()).not.toContain(draft.id);
  });
});

it("an action without a network is taken back in words, and works once the network is there", {
  meta: { proves: ["web.states"] },
  timeout,
}, async () => {
  await site.withPage(viewer, { possible: [/net::ERR_INTERNET_DISCONNECTED/] }, async (page) => {
    await page.goto(`${site.origin}/documents/${id}`);
    await started(page);
    const star = page.getByRole("main").locator("button.star");
    await page.context().setOffline(true);
    await star.click();
    await page
      .getByRole("status")
      .getByText(/Nothing was changed/)
      .first()
      .waitFor();
    await expect.poll(() => star.getAttribute("aria-pressed")).toBe("false");
    await page.context().setOffline(false);
    await star.click();
    await expect.poll(() => star.getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("region", { name: "Starred" }).getByRole("link", { name: "Deploying" }).waitFor();
  });
});
