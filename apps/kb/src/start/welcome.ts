import { readFile } from "node:fs/promises";
import type { Actor } from "@kb/auth";
import { invoke, operations, type Service } from "@kb/core";

type WelcomePage = { title: string; emoji: string; file: string; tags: string[]; children?: WelcomePage[] };

// In the order in which they are shown; each file is below `apps/kb/welcome`.
const pages: readonly WelcomePage[] = [
  {
    title: "Start here",
    emoji: "👋",
    file: "start-here.md",
    tags: ["welcome"],
    children: [
      { title: "Writing in Markdown", emoji: "✍️", file: "writing-in-markdown.md", tags: ["welcome", "reference"] },
      { title: "Working with the API", emoji: "🔌", file: "working-with-the-api.md", tags: ["welcome", "reference"] },
    ],
  },
  { title: "Meeting notes (template)", emoji: "🗒️", file: "meeting-notes.md", tags: ["template"] },
];

const folder = new URL("../../welcome/", import.meta.url);

/** Writes the welcome collection through the same operations that everybody else uses. */
export async function writeWelcome(service: Service, actor: Actor): Promise<void> {
  const collection = await invoke(service, operations.createCollection, actor, {
    name: "Welcome",
    icon: "👋",
    color: "#2f6fed",
    description: "A few pages that show what can be written here. Change them, or throw them away.",
  });
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
    const { id } = await invoke(service, operations.createDocument, actor, document);
    await writePages(service, actor, { ...place, parentDocumentId: id }, children);
  }
}
