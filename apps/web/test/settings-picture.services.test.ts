import { timeout } from "@kb/testing/chromium";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createDocument, openEditor } from "./editor-setting.ts";
import { halves } from "./image-of-halves.ts";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

/** Returns the width of the picture in an element, and whether its middle is red; null while it shows initials. */
const shownIn = (face: Locator): Promise<{ width: number; isRed: boolean } | null> =>
  face.evaluate((element) => {
    const image = element.querySelector("img");
    const context = document.createElement("canvas").getContext("2d");
    if (image === null || !image.complete || context === null) return null;
    context.drawImage(image, 0, 0, 1, 1);
    const [red = 0, , blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return { width: image.naturalWidth, isRed: red > 200 && blue < 60 };
  });

const red = { width: 256, isRed: true };

describe("the picture of a person in Chromium", () => {
  it("is cut from an image, shown in the bar, among people, in the history and while they write, and removed", {
    meta: { proves: ["onboarding.picture.shown"] },
    timeout: 3 * timeout,
  }, async () => {
    const { editor, admin } = site.setting.world.people;
    const id = await createDocument(site, "A document with a history", "Text.");
    await site.withPage(editor, {}, async (page) => {
      await page.goto(`${site.origin}/settings/you`);
      await started(page);
      const own = page.locator("main .face");
      expect(await own.getAttribute("data-initials")).not.toBe("");
      await page.getByRole("button", { name: "Choose a picture" }).click();
      const dialog = page.getByRole("dialog", { name: "Your picture" });
      const file = dialog.getByLabel("Image", { exact: true });
      await file.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no image") });
      await dialog.getByRole("alert").getByText("Your browser cannot show this file").waitFor();
      await file.setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer: await halves(page) });
      await dialog.getByRole("img", { name: "Your picture as others will see it" }).waitFor();
      await dialog.getByLabel("Left to right").press("Home");
      await dialog.getByRole("button", { name: "Save picture" }).click();
      await page.getByText("Your picture is saved.").waitFor();
      await expect.poll(() => shownIn(own)).toEqual(red);
      await expect.poll(() => shownIn(page.locator(".bar-account .face"))).toEqual(red);
      await site.withPage(admin, {}, async (other) => {
        await other.goto(`${site.origin}/documents/${id}/history`);
        await expect.poll(() => shownIn(other.locator("main .face").first())).toEqual(red);
        await started(other);
        await expect.poll(() => shownIn(other.locator("main .face").first())).toEqual(red);
        await openEditor(site, page, id);
        await openEditor(site, other, id);
        const here = other.getByRole("list", { name: "Also here" }).locator(".face");
        await expect.poll(() => shownIn(here)).toEqual(red);
        await other.goto(`${site.origin}/settings/people`);
        const row = other.locator("main li", { hasText: editor.name });
        await expect.poll(() => shownIn(row.locator(".face"))).toEqual(red);
        await row.getByRole("button", { name: /^Remove picture/ }).click();
        await other.getByRole("dialog").getByRole("button", { name: "Remove picture" }).click();
        await other.getByText(/^The picture of .* is removed\.$/).waitFor();
        await row.locator(".face[data-initials]").waitFor();
      });
      await page.goto(`${site.origin}/settings/you`);
      await page.getByRole("button", { name: "Choose a picture" }).waitFor();
      expect(await page.locator(".face img").count()).toBe(0);
    });
  });

  it("of the team is its logo: cut from an image or with all of it, shown beside the name, and removed", {
    meta: { proves: ["onboarding.logo.shown"] },
    timeout: 3 * timeout,
  }, async () => {
    const { admin, viewer } = site.setting.world.people;
    await site.withPage(admin, {}, async (page) => {
      await page.goto(`${site.origin}/settings/team`);
      await started(page);
      const bar = page.locator(".bar-home");
      const upload = async (): Promise<Locator> => {
        await page.getByRole("button", { name: /^(Choose a|Change) logo$/ }).click();
        const dialog = page.getByRole("dialog", { name: "Logo of the team" });
        const file = { name: "a.jpg", mimeType: "image/jpeg", buffer: await halves(page) };
        await dialog.getByLabel("Image", { exact: true }).setInputFiles(file);
        await dialog.getByRole("img", { name: "The logo as everybody will see it" }).waitFor();
        return dialog;
      };
      const save = async (dialog: Locator): Promise<void> => {
        await dialog.getByRole("button", { name: "Save logo" }).click();
        await page.getByText("The logo is saved.").first().waitFor();
        await dialog.waitFor({ state: "detached" });
      };
      const cut = await upload();
      await cut.getByLabel("Left to right").press("Home");
      await save(cut);
      await expect.poll(() => shownIn(bar)).toEqual(red);
      await expect.poll(() => shownIn(page.locator("main section", { hasText: "Logo" }))).toEqual(red);
      await site.withPage(viewer, {}, async (other) => {
        await other.goto(site.origin);
        await expect.poll(() => shownIn(other.locator(".bar-home"))).toEqual(red);
        await started(other);
        await expect.poll(() => shownIn(other.locator(".bar-home"))).toEqual(red);
      });
      const whole = await upload();
      await whole.getByLabel("Zoom").press("Home");
      await save(whole);
      // Above a wide image nothing is shown.
      await expect.poll(() => cornerOf(bar)).toBe(0);
      await page.getByRole("button", { name: "Remove logo" }).click();
      await page.getByText("The logo is removed.").waitFor();
      await bar.locator("svg").waitFor();
    });
  });
});

/** Returns how opaque the first pixel of the image in an element is; undefined while there is none. */
const cornerOf = (mark: Locator): Promise<number | undefined> =>
  mark.evaluate((element) => {
    const image = element.querySelector("img");
    const context = document.createElement("canvas").getContext("2d");
    if (image === null || !image.complete || context === null) return undefined;
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, 1, 1).data[3];
  });
