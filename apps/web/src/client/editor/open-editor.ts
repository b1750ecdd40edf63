import { type EditorSession, openKeptSession, type SessionKeeper, TransportFailure } from "@kb/live/session";
import type { InputRule } from "prosemirror-inputrules";
import type { Plugin } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { quoteLanguage } from "../app/preferences.ts";
import { onPageEnd } from "../writing/on-page-end.ts";
import { loadGroups } from "./caret-blocks.ts";
import { type DeviceRecord, takeRecords } from "./device-records.ts";
import { type EditorActions, type EditorNames, editorPlugins, showSession } from "./editor-view.ts";
import { loadFormulas } from "./formula-view.ts";
import { liveTransport } from "./live-transport.ts";
import { newUuid } from "./new-uuid.ts";
import { PeopleHere } from "./people-here.ts";
import { schema } from "./schema.ts";
import { endUnsent, type LeftSession, sendInBackground } from "./unsent-sessions.ts";
import { versionMaps } from "./version-maps.ts";

/** A document that is open for writing. */
export type OpenEditor = LeftSession & { readonly view: EditorView; readonly end: () => void };

type OpenOptions = {
  readonly userId: string;
  readonly documentId: string;
  readonly title: string;
  readonly place: HTMLElement;
  readonly names: EditorNames;
  readonly actions: EditorActions;
  readonly people: PeopleHere;
  /** Called when the service could not be asked; it is asked again while this returns true. */
  readonly retry: () => boolean;
  /** Says that the device has text of the document that it cannot read. */
  readonly sayUnreadable: () => void;
};

/** Opens a document in an element, with the text that this device has of it. @throws {TransportFailure} */
export async function openEditor(options: OpenOptions): Promise<OpenEditor> {
  const { userId, documentId, title, place, names, actions, retry, sayUnreadable } = options;
  await endUnsent(documentId);
  const [record, ...others] = await takeRecords(userId, documentId, title, sayUnreadable);
  const open = (from: DeviceRecord, plugins: Plugin[], people: PeopleHere): Promise<LeftSession> =>
    openRecord({ userId, documentId, people, retry }, from, plugins);
  try {
    const plugins = [...editorPlugins(actions, await loadQuoteRules()), versionMaps()];
    const opened = await open(record, plugins, options.people);
    for (const other of others) void open(other, [], new PeopleHere()).then(sendInBackground).catch(other.end);
    const { doc } = opened.session.state;
    await Promise.all([loadFormulas(doc), loadGroups(doc)]);
    return { ...opened, ...showSession(place, opened.session, names) };
  } catch (error) {
    for (const each of [record, ...others]) void each.end();
    throw error;
  }
}

/** Loads the rules of quotation marks that this browser wants. Without their module those that are typed stay. */
async function loadQuoteRules(): Promise<readonly InputRule[]> {
  const language = quoteLanguage();
  if (language === undefined) return [];
  return import("./quote-rules.ts").then(
    ({ quoteRules }) => quoteRules(language),
    () => [],
  );
}

async function openRecord(
  { userId, documentId, people, retry }: Pick<OpenOptions, "userId" | "documentId" | "people" | "retry">,
  { store, kept, end }: DeviceRecord,
  plugins: Plugin[],
): Promise<LeftSession> {
  const transport = liveTransport(documentId, people);
  const opened: { readonly session: EditorSession; readonly keeper: SessionKeeper } = await openKeptSession({
    transport,
    schema,
    plugins,
    store,
    kept,
    author: userId,
    retry,
    newClientId: newUuid,
  });
  // The last letters may not be on the device yet.
  const endWriting = onPageEnd(() => opened.keeper.writeAtOnce());
  const endRecord = (): Promise<void> => {
    endWriting();
    return end();
  };
  return { ...opened, documentId, leftAt: kept?.writtenAt, endRecord };
}

/** Returns whether the document has content that this page does not know: it is not for this editor. */
export const isOutdated = (error: unknown): boolean => error instanceof TransportFailure && error.kind === "outdated";
