import { call } from "../api/call.ts";
import { boot } from "../app/boot.ts";
import { type Draft, type DraftStore, draftStore } from "./draft-store.ts";

/** The texts with which writing begins. */
export type Source = {
  /** Names this reading of the document. */
  readonly key: string;
  /** The text that the service has. */
  readonly stored: Draft;
  /** The text that was written on this device and is not in the service. */
  readonly draft: Draft | undefined;
  readonly drafts: DraftStore;
  /** The person who changed the document last. */
  readonly lastModifiedBy: string | undefined;
};

let readings = 0;

/** Reads the Markdown of a document, and what was written on it on this device. */
export async function readSource(id: string): Promise<Source> {
  const drafts = draftStore(boot().app.user.id, id);
  const [view, draft] = await Promise.all([
    call("documents.view", { id, include: ["markdown"], prefetch: true }),
    // Without storage on the device there are no drafts.
    drafts.read().catch(() => undefined),
  ]);
  const { title, markdownText: text = "", revision } = view.document;
  const isSame = draft === undefined || (draft.title === title && draft.text === text);
  readings += 1;
  return {
    key: `${id} ${readings}`,
    stored: { title, text, revision },
    draft: isSame ? undefined : draft,
    drafts,
    lastModifiedBy: view.lastModifiedBy?.name,
  };
}
