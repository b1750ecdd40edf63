import { timeout } from "@kb/testing/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

const page = { mimeType: "text/markdown", buffer: Buffer.from("# Plan\n\nText") };
const figures = { product: "markdown", folders: 0, linked: 0, attached: 0, unchanged: 0, updated: 0, existing: 0 };
const problem = { kind: "skipped", path: "broken.md", detail: "not UTF-8 text", count: 1, documentId: null };
const result = {
  ...figures,
  files: 2,
  imported: 1,
  others: { ".txt": 1 },
  unusedKeys: {},
  problems: [problem],
  omitted: 0,
};

describe("the import of files in Chromium", () => {
  const { people } = site.setting.world;
  const open = async (shown: Page): Promise<void> => {
    await shown.goto(`${site.origin}/settings/transfer`);
    await started(shown);
  };

  it("sends a file, shows that it waits, and stops it", { timeout: 2 * timeout }, async () => {
    await site.withPage(people.admin, {}, async (shown) => {
      await open(shown);
      await shown.getByLabel("File", { exact: true }).setInputFiles({ ...page, name: "Plan.md" });
      await shown.getByRole("radio", { name: "An existing collection" }).check();
      await shown.getByLabel("Collection", { exact: true }).selectOption({ label: "Open" });
      await shown.getByRole("checkbox", { name: "Check first" }).uncheck();
      await shown.getByRole("button", { name: "Import", exact: true }).click();
      const row = shown.locator(".rows li", { hasText: "Plan.md" });
      await row.getByText("Waiting").waitFor();
      await row.getByRole("link", { name: "Open" }).waitFor();
      await row.getByRole("button", { name: "Stop the import of Plan.md" }).click();
      await row.getByText("Stopped").waitFor();
      await row.getByRole("button", { name: "Continue: Plan.md" }).click();
      await row.getByText("Waiting").waitFor();
      await row.getByRole("button", { name: "Stop the import of Plan.md" }).click();
      await row.getByText("Stopped").waitFor();
    });
  });

  it("refuses a folder that is dropped, says what to do, and takes the file that is dropped then", {
    timeout,
  }, async () => {
    await site.withPage(people.admin, {}, async (shown) => {
      await open(shown);
      const field = shown.getByLabel("File", { exact: true });
      const drop = (isDirectory: boolean) =>
        field.evaluate((input, isFolder) => {
          const data = new DataTransfer();
          data.items.add(new File(["# Plan"], isFolder ? "Notes" : "Plan.md"));
          // A script cannot make the entry of a folder.
          const items = [{ kind: "file", webkitGetAsEntry: () => ({ isDirectory: isFolder }) }];
          const event = new Event("drop", { bubbles: true, cancelable: true });
          Object.defineProperty(event, "dataTransfer", { value: { items, files: data.files } });
          input.dispatchEvent(event);
        }, isDirectory);
      const refusal = shown.getByRole("alert").filter({ hasText: "Pack it into a ZIP archive" });
      await drop(true);
      await refusal.waitFor();
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      expect(await field.inputValue()).toBe("");
      await drop(false);
      await refusal.waitFor({ state: "detached" });
      expect(await field.inputValue()).toMatch(/Plan\.md$/);
    });
  });

  it("watches the progress, and shows the result with its problems", { timeout: 2 * timeout }, async () => {
    await site.withPage(people.admin, {}, async (shown) => {
      let looks = 0;
      const row = {
        id: "0198c0de-7a1b-7c3d-8e9f-0a1b2c3d4e5f",
        name: "notes.zip",
        size: 1_000,
        collection: null,
        dryRun: true,
        update: false,
        publish: true,
        textTags: false,
        newCollection: "Notes",
        files: 2,
        read: 2,
        written: 1,
        isStopping: false,
        canContinue: true,
        failure: null,
        createdAt: "2026-01-01T00:00:00.000Z",
        startedAt: null,
        finishedAt: null,
      };
      site.intercept((path) => {
        if (path === "/api/imports.get") return Response.json({ data: { ...row, status: "done", result } });
        if (path !== "/api/imports.list") return undefined;
        looks += 1;
        const status = looks < 3 ? "running" : "done";
        return Response.json({ data: [{ ...row, status, canContinue: status === "done" }] });
      });
      try {
        await open(shown);
        await shown.getByText("1 of 2 files imported").waitFor();
        await shown.getByText("Checked", { exact: true }).waitFor();
        await shown.getByRole("button", { name: "Result of notes.zip" }).click();
        await shown.getByText("Nothing was written.", { exact: false }).waitFor();
        await shown.getByText("Skipped: 1").click();
        expect(await shown.locator(".rows details li").textContent()).toBe("broken.md: not UTF-8 text");
        await shown.getByRole("button", { name: "Import now: notes.zip" }).waitFor();
      } finally {
        site.intercept(undefined);
      }
    });
  });
});
