import { invoke, operations } from "@kb/core";
import { sessionCallerOf } from "@kb/core/testing";
import type { Page } from "playwright-core";
import type { Messages } from "../src/messages/index.ts";
import { refuse } from "./refuse.ts";
import type { ScreenCase } from "./screens.ts";
import { type Site, settled } from "./site.ts";
import { nest, openCollection } from "./tree-world.ts";

/** The addresses of the lists of documents, such as drafts. */
const lists = "/api/v1/documents";
/** Long enough that no wait ends while a screen is looked at. */
const longWait = { "Retry-After": "300" };

/** Fills the team of a site; returns a screen for each state in which the app, its service or a document may be. */
export async function fillStates(site: Site): Promise<ScreenCase[]> {
  const { service, people, collections } = site.setting.world;
  const create = async (title: string, input: object = {}): Promise<string> => {
    const place = { collectionId: collections.open, publish: true, text: "Read this first." };
    return (await invoke(service, operations.createDocument, people.editor.actor, { ...place, title, ...input })).id;
  };
  const id = await create("Deploying on Fridays");
  const archived = await create("Deploying by hand");
  await invoke(service, operations.archiveDocument, people.editor.actor, { id: archived });
  const trashed = await create("Deploying on Sundays");
  await invoke(service, operations.deleteDocument, people.editor.actor, { id: trashed });
  const own = (name: string): Promise<string> => openCollection(site.setting.world, name);
  const emoji = await create("🦊".repeat(255), { collectionId: await own("Long") });
  const below = await nest(site.setting.world, await own("Deep"), 100);
  return [
    ...waits(site, `/documents/${id}`),
    ...losses(site, `/documents/${id}`, create),
    { name: "state-draft", path: `/documents/${await create("Not yet", { publish: false })}` },
    { name: "state-archived", path: `/documents/${archived}` },
    { name: "state-trashed", path: `/documents/${trashed}` },
    { name: "state-new-absent", path: "/new?collection=018f0000-0000-7000-8000-000000000000" },
    { name: "state-new-closed", path: `/new?parent=${trashed}` },
    { name: "state-new-long", path: `/new?parent=${emoji}` },
    { name: "state-emoji-title", path: `/documents/${emoji}` },
    { name: "state-depth", path: `/documents/${below.at(-1)}` },
    {
      name: "state-depth-drawer",
      path: `/documents/${below.at(-1)}`,
      isNarrow: true,
      reach: async (page, { openNavigation }) => {
        await page.getByRole("button", { name: openNavigation }).click();
        await page.getByRole("dialog").getByRole("treeitem", { name: "Level 100" }).waitFor();
        await settled(page);
      },
    },
  ];
}

/** Follows a link of the navigation, which a narrow page has in front of it; `before` comes just before the click. */
async function follow(
  page: Page,
  link: "drafts" | "home" | "tags" | "trash",
  messages: Messages,
  before?: () => Promise<void>,
): Promise<void> {
  const navigation = page.getByRole("button", { name: messages.openNavigation });
  if (await navigation.isVisible()) await navigation.click();
  const entry = page.getByRole("link", { name: messages[link], exact: true }).first();
  await entry.waitFor();
  await before?.();
  await entry.click();
}

/** Screens of an app that waits for its service, or that its service refuses. */
function waits(site: Site, path: string): ScreenCase[] {
  const answers = () => site.intercept(undefined);
  const failed = async (page: Page, status: number, headers: Record<string, string>, messages: Messages) => {
    refuse(site, lists, status, headers);
    await follow(page, "drafts", messages);
    await page.getByRole("main").getByRole("alert").waitFor();
  };
  return [
    {
      name: "state-loading",
      path,
      reach: async (page, messages) => {
        await page.route(`**${lists}?*`, () => {});
        await follow(page, "drafts", messages);
        await page.locator("main [aria-busy=true][class]:not([class=''])").waitFor();
      },
      leave: (page) => page.unroute(`**${lists}?*`),
    },
    {
      name: "state-loading-version",
      path: `${path}/history`,
      reach: async (page) => {
        await page.route("**/api/documents.revisions.view", () => {});
        await page.locator("main .rows a").first().click();
        await page.locator("main > .column > [aria-busy=true]").waitFor();
      },
      leave: (page) => page.unroute("**/api/documents.revisions.view"),
    },
    {
      name: "state-failed",
      path,
      reach: (page, messages) => failed(page, 500, { "X-Request-Id": "number-17" }, messages),
      leave: answers,
    },
    { name: "state-limited", path, reach: (page, messages) => failed(page, 429, longWait, messages), leave: answers },
    {
      name: "state-unavailable",
      path,
      reach: (page, messages) => failed(page, 503, longWait, messages),
      leave: answers,
    },
    {
      name: "state-forbidden",
      path: "/drafts",
      reach: async (page, messages) => {
        await follow(page, "home", messages);
        refuse(site, "/api/documents.view", 403);
        await page.getByRole("main").getByRole("link").first().click();
        await page.getByRole("heading", { name: messages.notFoundTitle }).waitFor();
        // Their names come by a request of their own.
        await page.getByRole("main").getByText("Admin of ").waitFor();
      },
      leave: answers,
    },
    {
      name: "state-logged-out",
      path,
      reach: async (page, messages) => {
        refuse(site, lists, 401);
        await follow(page, "drafts", messages);
        await page.getByRole("dialog", { name: messages.loggedOutTitle }).waitFor();
      },
      leave: answers,
    },
    {
      name: "state-new-release",
      path,
      reach: async (page, messages) => {
        const gone = new Response(null, { status: 404 });
        site.intercept((requested) => (requested.startsWith("/assets/tags-") ? gone.clone() : undefined));
        await follow(page, "tags", messages);
        await page.getByRole("button", { name: messages.reload }).waitFor();
      },
      leave: answers,
    },
  ];
}

type Create = (title: string) => Promise<string>;

/** Marks the page of this script once it has read the first message of a stream. */
function markStream(): void {
  const Source = globalThis.EventSource;
  globalThis.EventSource = class extends Source {
    constructor(address: string | URL, options?: EventSourceInit) {
      super(address, options);
      // After the listeners of the app.
      const mark = () => setTimeout(() => document.documentElement.setAttribute("data-follows", "true"));
      for (const name of ["ready", "reset"]) this.addEventListener(name, mark);
    }
  };
}

/** Screens of an app that has lost its network, or whose document changed while it was open. */
function losses(site: Site, path: string, create: Create): ScreenCase[] {
  const { service, people } = site.setting.world;
  const online = (page: Page) => page.context().setOffline(false);
  const lose = async (page: Page, { offline }: Messages): Promise<void> => {
    await page.context().setOffline(true);
    await page.getByText(offline).first().waitFor();
  };
  /** Opens a document, and waits until the app has read the first message of its stream, which says that there is a network. */
  const follows = async (page: Page, address: string): Promise<void> => {
    await page.addInitScript(markStream);
    await page.goto(site.origin + address);
    await page.locator("html[data-follows=true]").waitFor();
    await settled(page);
  };
  /** Opens a new document, and changes it. */
  const openNew = async (page: Page, change: (id: string) => Promise<unknown>, search = ""): Promise<void> => {
    const id = await create("Changed while it is open");
    await follows(page, `/documents/${id}${search}`);
    await change(id);
  };
  const remove = (id: string) => invoke(service, operations.deleteDocument, people.editor.actor, { id });
  return [
    {
      name: "state-offline",
      path,
      reach: async (page, messages) => {
        await follows(page, path);
        await lose(page, messages);
      },
      leave: online,
    },
    {
      name: "state-offline-screen",
      path,
      reach: async (page, messages) => {
        await follow(page, "trash", messages, () => lose(page, messages));
        await page.getByRole("main").getByRole("button", { name: messages.tryAgain }).waitFor();
      },
      leave: online,
    },
    {
      name: "state-trashed-while-open",
      path,
      reach: async (page, { trashedNotice }) => {
        await openNew(page, remove);
        await page.getByText(trashedNotice).waitFor();
        await settled(page);
      },
    },
    {
      name: "state-gone-while-open",
      path,
      reach: async (page, { notFoundTitle }) => {
        await openNew(page, async (id) => {
          await remove(id);
          await (await sessionCallerOf(site.setting.world, people.admin)).run(operations.destroyDocument, { id });
        });
        await page.getByRole("heading", { name: notFoundTitle }).waitFor();
        await settled(page);
      },
    },
    {
      name: "state-conflict",
      path,
      reach: async (page, { markdownField, keepMine }) => {
        const text = "What somebody else wrote.";
        await openNew(page, () => page.getByRole("textbox", { name: markdownField }).waitFor(), "?edit=source");
        await invoke(service, operations.updateDocument, people.editor.actor, { id: idOf(page), text });
        await page.getByRole("textbox", { name: markdownField }).fill("What I wrote.");
        await page.getByRole("button", { name: keepMine }).waitFor();
      },
      leave: async (page) => {
        // The browser asks before it leaves what is not saved.
        page.once("dialog", (dialog) => void dialog.accept());
        await remove(idOf(page));
      },
    },
  ];
}

const idOf = (page: Page): string => new URL(page.url()).pathname.split("/")[2] ?? "";

/** Fills a team with nothing; returns the screens that say what belongs there. */
export async function fillNothing({ setting: { world } }: Site): Promise<ScreenCase[]> {
  const { id } = await invoke(world.service, operations.createCollection, world.people.outsider.actor, {
    name: "Handbook",
  });
  return [
    { name: "empty-home", path: "/" },
    { name: "empty-collection", path: `/collections/${id}` },
    { name: "empty-drafts", path: "/drafts" },
    { name: "empty-archive", path: "/archive" },
    { name: "empty-trash", path: "/trash" },
    { name: "empty-tags", path: "/tags" },
  ];
}
