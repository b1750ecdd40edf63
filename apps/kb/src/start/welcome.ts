import { readFile } from "node:fs/promises";
import type { Actor } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";

type WelcomePage = { title: string; emoji: string; file: string; tags: string[]; children?: WelcomePage[] };

// In the order in which they are shown; the files are in `apps/kb/welcome`.
const pages: readonly WelcomePage[] = [
  {
    title: "Start here",
    emoji: "👋",
    file: "start-here.md",
    tags: ["welcome"],
    children: [
      { title: "Writing in Markdown", emoji: "✍️", file: "writing-in-markdown.md", tags: ["welcome", "reference"] },
      { title: "Finding things", emoji: "🔎", file: "finding-things.md", tags: ["welcome"] },
      { title: "Working with the API", emoji: "🔌", file: "working-with-the-api.md", tags: ["welcome", "reference"] },
    ],
  },
  { title: "Meeting notes (template)", emoji: "🗒️", file: "meeting-notes.md", tags: ["template"] },
];

const name = "Welcome";
const welcome = {
  name,
  icon: "👋",
  color: "#2f6fed",
  description: "Sample pages that show what you can write here. Change or delete them.",
};

const folder = new URL("../../welcome/", import.meta.url);

/** Creates the missing parts of the welcome collection through the ordinary operations. */
export async function writeWelcome(service: Service, actor: Actor): Promise<void> {
  const found = await admin.findCollectionOrNull(service, actor.teamId, name);
  const collection = found ?? (await invoke(service, operations.createCollection, actor, welcome));
  await writePages(service, actor, { collectionId: collection.id, parentDocumentId: null }, pages);
}

type Place = { collectionId: string; parentDocumentId: string | null };

async function writePages(
  service: Service,
  actor: Actor,
  place: Place,
  siblings: readonly WelcomePage[],
): Promise<void> {
  for (const [sortOrder, { title, emoji, file, tags, children = [] }] of siblings.entries()) {
    const text = (await readFile(new URL(file, folder), "utf8")).replaceAll("{{APP_URL}}", service.appUrl);
    const document = { ...place, title, emoji, text, tags, sortOrder, publish: true };
    const id = (await existing(service, actor, place, title)) ?? (await create(service, actor, document));
    await writePages(service, actor, { ...place, parentDocumentId: id }, children);
  }
}

async function create(service: Service, actor: Actor, document: object): Promise<string> {
  return (await invoke(service, operations.createDocument, actor, document)).id;
}

/** Finds the page of a first start that was killed. */
async function existing({ database }: Service, { teamId }: Actor, place: Place, title: string): Promise<string | null> {
  const where = { teamId, ...place, title, deletedAt: null };
  return (await database.client.document.findFirst({ where, select: { id: true } }))?.id ?? null;
}
