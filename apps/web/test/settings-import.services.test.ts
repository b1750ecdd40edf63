import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { timeout } from "@kb/testing/chromium";
import JSZip from "jszip";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { started } from "./site.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

const page = { mimeType: "text/markdown", buffer: Buffer.from("# Plan\n\nText") };
const figures = { product: "markdown", folders: 0, linked: 0, attached: 0, unchanged: 0, updated: 0, existing: 0 };
const explanation = { code: "not_text", values: {} };
const problem = {
  kind: "skipped",
  path: "broken.md",
  detail: "not UTF-8 text",
  explanation,
  count: 1,
  documentId: null,
};
const result = {
  ...figures,
  files: 2,
  imported: 1,
  others: { ".txt": 1 },
  unusedKeys: {},
  problems: [problem],
  omitted: 0,
};

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

  it("packs a folder that is chosen or dropped, without hidden files, and sends it", {
    meta: { proves: ["decision.app.import-folder"] },
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(people.admin, {}, async (shown) => {
      const notes = mkdtempSync(join(tmpdir(), "kb-folder-"));
      const folder = join(notes, "Notes");
      for (const below of ["مجلد", ".git", "node_modules"]) mkdirSync(join(folder, below), { recursive: true });
      writeFileSync(join(folder, "Plan.md"), "# Plan\n\n[Ziel](مجلد/ملف.md)");
      writeFileSync(join(folder, "مجلد", "ملف.md"), "# Other");
      for (const hidden of [".git/config.md", "node_modules/a.md"]) writeFileSync(join(folder, hidden), "no");
      let sent: Buffer | undefined;
      await shown.route("**/api/imports.upload/**", async (route) => {
        sent = route.request().postDataBuffer() ?? undefined;
        await route.continue();
      });
      await open(shown);
      const field = shown.getByLabel("File", { exact: true });
      const choosing = shown.waitForEvent("filechooser");
      await shown.getByRole("button", { name: "Choose a folder" }).click();
      await (await choosing).setFiles(folder);
      await expect.poll(() => field.inputValue()).toMatch(/Notes\.zip$/);
      await expect.poll(() => shown.getByLabel("Name of the new collection").inputValue()).toBe("Notes");
      await shown.getByRole("button", { name: "Check", exact: true }).click();
      const row = shown.locator(".rows li", { hasText: "Notes.zip" });
      await row.getByText("Waiting").waitFor();
      const { files } = await JSZip.loadAsync(sent ?? "", { checkCRC32: true });
      expect(Object.keys(files).sort()).toEqual(["Plan.md", "مجلد/ملف.md"]);
      expect(await files["مجلد/ملف.md"]?.async("string")).toBe("# Other");
      rmSync(notes, { recursive: true });
      await row.getByRole("button", { name: "Stop the import of Notes.zip" }).click();
    });
  });

  it("packs a folder that is dropped, says what is wrong with an empty one, and takes the file that is dropped then", {
    meta: { proves: ["decision.app.import-folder"] },
    timeout,
  }, async () => {
    await site.withPage(people.admin, {}, async (shown) => {
      await open(shown);
      const field = shown.getByLabel("File", { exact: true });
      const drop = (names: readonly string[] | null) =>
        field.evaluate((input, inFolder) => {
          const data = new DataTransfer();
          data.items.add(new File(["# Plan"], inFolder === null ? "Plan.md" : "Notes"));
          // A script cannot make the entry of a folder: this one hands its entries out one at a time, as browsers may.
          const left = (inFolder ?? []).map((name) => ({
            name,
            isFile: true,
            isDirectory: false,
            file: (take: (file: File) => void) => take(new File(["text"], name)),
          }));
          const readEntries = (take: (entries: unknown[]) => void) => take(left.splice(0, 1));
          const entry = { name: "Notes", isDirectory: inFolder !== null, createReader: () => ({ readEntries }) };
          const items = [{ kind: "file", webkitGetAsEntry: () => entry }];
          const event = new Event("drop", { bubbles: true, cancelable: true });
          Object.defineProperty(event, "dataTransfer", { value: { items, files: data.files } });
          input.dispatchEvent(event);
        }, names);
      const problem = shown.getByRole("alert").filter({ hasText: "There is no file in this folder" });
      await drop([".hidden"]);
      await problem.waitFor();
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      expect(await field.inputValue()).toBe("");
      await drop(["a.md", "b.md", ".hidden"]);
      await problem.waitFor({ state: "detached" });
      await expect.poll(() => field.inputValue()).toMatch(/Notes\.zip$/);
      await drop(null);
      expect(await field.inputValue()).toMatch(/Plan\.md$/);
    });
  });

  /** Chooses a file and begins to check it; the list shows that it is sent. */
  const begin = async (shown: Page, name: string): Promise<Locator> => {
    await shown.getByLabel("File", { exact: true }).setInputFiles({ ...page, name });
    await shown.getByLabel("Name of the new collection").fill("Slow");
    await shown.getByRole("button", { name: "Check", exact: true }).click();
    const row = shown.locator(".rows li", { hasText: name });
    await row.getByText("Sending", { exact: true }).waitFor();
    await row.getByRole("progressbar", { name: `Sending ${name}` }).waitFor();
    return row;
  };
  /** Holds back what is sent to be imported, until the promise is fulfilled. */
  const holdUploads = async (shown: Page, held: Promise<void>): Promise<void> => {
    await shown.route("**/api/imports.upload/**", async (route) => {
      await held;
      await route.continue();
    });
  };
  const mayClose = (shown: Page): Promise<boolean> =>
    shown.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true })));

  it("goes on sending a file while other pages are open, and stops when the reader stops it", {
    timeout: 2 * timeout,
  }, async () => {
    await site.withPage(people.admin, {}, async (shown) => {
      const held = Promise.withResolvers<void>();
      await holdUploads(shown, held.promise);
      await open(shown);
      const stopped = await begin(shown, "Stopped.md");
      expect(await mayClose(shown)).toBe(false);
      await stopped.getByRole("button", { name: "Stop the import of Stopped.md" }).click();
      await stopped.getByText("Stopped", { exact: true }).waitFor();
      expect(await mayClose(shown)).toBe(true);
      const kept = await begin(shown, "Kept.md");
      const settings = shown.getByRole("navigation").getByRole("link", { name: /^You/ });
      await settings.click();
      await shown.getByRole("heading", { level: 1, name: "You" }).waitFor();
      await shown.goBack();
      await kept.getByText("Sending", { exact: true }).waitFor();
      // The next file may be chosen meanwhile: the end of this one leaves the form alone.
      const field = shown.getByLabel("File", { exact: true });
      await field.setInputFiles({ ...page, name: "Next.md" });
      held.resolve();
      await kept.getByText("Waiting", { exact: true }).waitFor();
      await shown.getByText("The file is there.", { exact: false }).waitFor();
      expect(await field.inputValue()).toMatch(/Next\.md$/);
      expect(await shown.getByLabel("Name of the new collection").inputValue()).toBe("Next");
      await shown.getByRole("button", { name: "Check", exact: true }).click();
      for (const name of ["Kept.md", "Next.md"]) {
        await shown.getByRole("button", { name: `Stop the import of ${name}` }).click();
        await shown.locator(".rows li", { hasText: name }).getByText("Stopped", { exact: true }).waitFor();
      }
    });
  });

  it("says beside a file why the service did not take it", { timeout: 2 * timeout }, async () => {
    await site.withPage(people.admin, { expected: [/status of 415/] }, async (shown) => {
      await open(shown);
      const buffer = Buffer.from("no archive");
      const field = shown.getByLabel("File", { exact: true });
      await field.setInputFiles({ name: "Text.zip", mimeType: "application/zip", buffer });
      await shown.getByRole("button", { name: "Check", exact: true }).click();
      const row = shown.locator(".rows li", { hasText: "Text.zip" });
      await row.getByText("Stopped", { exact: true }).waitFor();
      await row.getByRole("alert").getByText("neither a ZIP archive nor a text", { exact: false }).waitFor();
      expect(await field.inputValue()).toBe("");
    });
  });

  it("a log-out ends the sending of files, in the other tabs too, and nothing asks", {
    meta: { proves: ["web.log-out.files"] },
    timeout: 2 * timeout,
  }, async () => {
    const possible = [/status of 401/];
    await site.withPage(people.admin, { possible }, async (first) => {
      const context = first.context();
      const questions: string[] = [];
      context.on("dialog", (dialog) => {
        questions.push(dialog.message());
        void dialog.accept();
      });
      const second = await context.newPage();
      for (const shown of [first, second]) {
        await holdUploads(shown, new Promise(() => {}));
        await shown.bringToFront();
        await open(shown);
        await begin(shown, "Held.md");
      }
      // The message of a tab that has logged out and deleted what was not sent; every page of the app hears it.
      await second.evaluate((id) => new BroadcastChannel("kb-log-out").postMessage(id), people.admin.id);
      await Promise.all([first, second].map((shown) => shown.getByRole("heading", { name: "Log out?" }).waitFor()));
      for (const shown of [first, second]) await open(shown);
      await first.bringToFront();
      await begin(first, "Again.md");
      await second.bringToFront();
      await second.getByRole("button", { name: "Account" }).click();
      await second.getByRole("menuitem", { name: "Log out" }).click();
      await second.getByRole("button", { name: "Log out", exact: true }).click();
      await second.getByRole("heading", { name: "You are logged out" }).waitFor();
      await first.getByRole("dialog", { name: "You are logged out" }).waitFor();
      expect(await mayClose(first)).toBe(true);
      expect(questions).toEqual([]);
    });
  });

  it("watches the progress, and shows the result with its problems", { timeout: 2 * timeout }, async () => {
    await site.withPage(people.admin, {}, async (shown) => {
      let looks = 0;
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

  it("a file without documents says so, and has nothing to import", { timeout: 2 * timeout }, async () => {
    await site.withPage(people.admin, {}, async (shown) => {
      const empty = { ...row, name: "empty.zip", status: "done", files: 0, read: 0, written: 0 };
      site.intercept((path) => (path === "/api/imports.list" ? Response.json({ data: [empty] }) : undefined));
      try {
        await open(shown);
        await shown.getByText("This file contains no documents.").waitFor();
        expect(await shown.getByRole("button", { name: /^Import now/ }).count()).toBe(0);
      } finally {
        site.intercept(undefined);
      }
    });
  });
});
