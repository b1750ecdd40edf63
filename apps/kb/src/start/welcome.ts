import { readFile } from "node:fs/promises";
import type { Actor } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import { newId } from "@kb/db";

type WelcomePage = { title: string; emoji: string; file: string; tags: string[]; children?: WelcomePage[] };

// In the order in which they are shown; the files are in `apps/kb/welcome`.
const pages: readonly WelcomePage[] = [
  {
    title: "Start here",
    emoji: "👋",
    file: "start-here.md",
    tags: ["welcome"],
    children: [
      { title: "Writing", emoji: "✍️", file: "writing.md", tags: ["welcome", "reference"] },
      { title: "Finding things", emoji: "🔎", file: "finding-things.md", tags: ["welcome"] },
      { title: "Working together", emoji: "🤝", file: "working-together.md", tags: ["welcome"] },
      {
        title: "Programs and assistants",
        emoji: "🔌",
        file: "programs-and-assistants.md",
        tags: ["welcome", "reference"],
      },
    ],
  },
];

const name = "Welcome";
const welcome = {
  name,
  icon: "👋",
  color: "#2f6fed",
  description: "Five short pages about what you can do here. Change or delete them.",
};

const folder = new URL("../../welcome/", import.meta.url);

/** Creates the missing parts of the welcome collection through the ordinary operations. */
export async function writeWelcome(service: Service, actor: Actor): Promise<void> {
  const found = await admin.findCollectionOrNull(service, actor.teamId, name);
  const collection = found ?? (await invoke(service, operations.createCollection, actor, welcome));
  const placed = await placePages(service, actor, { collectionId: collection.id, parentDocumentId: null }, pages);
  // The pages link to each other, so every id is known before the first one is written.
  const addresses = new Map(placed.map(({ id, file }) => [file, `${service.appUrl}/documents/${id}`]));
  for (const { isThere, file, ...document } of placed) {
    const text = await readPage(service, file, addresses);
    if (isThere) await invoke(service, operations.updateDocument, actor, { id: document.id, text, return: "minimal" });
    else await invoke(service, operations.importDocument, actor, { ...document, text, publish: true });
  }
}

type Place = { readonly collectionId: string; readonly parentDocumentId: string | null };

type PlacedPage = Place &
  Omit<WelcomePage, "children"> & { readonly id: string; readonly sortOrder: number; readonly isThere: boolean };

/** Returns the pages, parents first, with their ids: those of a first start that was killed, else new ones. */
async function placePages(
  service: Service,
  actor: Actor,
  place: Place,
  siblings: readonly WelcomePage[],
): Promise<PlacedPage[]> {
  const placed: PlacedPage[] = [];
  for (const [sortOrder, { children = [], ...page }] of siblings.entries()) {
    const found = await existing(service, actor, place, page.title);
    const id = found ?? newId();
    placed.push({ ...place, ...page, id, sortOrder, isThere: found !== null });
    placed.push(...(await placePages(service, actor, { ...place, parentDocumentId: id }, children)));
  }
  return placed;
}

/** Reads the text of a page, with the addresses of this service and of the other pages. */
async function readPage({ appUrl }: Service, name: string, addresses: ReadonlyMap<string, string>): Promise<string> {
  const text = (await readFile(new URL(name, folder), "utf8")).replaceAll("{{APP_URL}}", appUrl);
  return text.replaceAll(/\{\{([a-z-]+\.md)\}\}/g, (written, file: string) => addresses.get(file) ?? written);
}

/** Finds the page of a first start that was killed. */
async function existing({ database }: Service, { teamId }: Actor, place: Place, title: string): Promise<string | null> {
  const where = { teamId, ...place, title, deletedAt: null };
  return (await database.client.document.findFirst({ where, select: { id: true } }))?.id ?? null;
}
