import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useReducer, useRef, useState } from "react";
import type { Messages } from "../../messages/index.ts";
import { failureText } from "../actions/failure-text.ts";
import type { View } from "../api/contract.ts";
import { boot } from "../app/boot.ts";
import { onReturn } from "../app/connection.ts";
import { missingModuleError, untilLeft } from "../app/new-release.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { onPageEnd } from "../writing/on-page-end.ts";
import { openSessions } from "../writing/open-sessions.ts";
import { onCalmStatus } from "./calm-status.ts";
import type { EditorActions, EditorNames } from "./editor-view.ts";
import type { KeyActions } from "./keys.ts";
import { type OpenEditor, openEditor } from "./open-editor.ts";
import { part } from "./part.ts";
import { PeopleHere } from "./people-here.ts";
import { TitleSaver } from "./title-saver.ts";
import { asksBeforeClosing, forget, sendInBackground } from "./unsent-sessions.ts";
import type { UploadActions } from "./upload-state.ts";
import { UploadStore } from "./upload-store.ts";

type PageActions = Omit<KeyActions, "focusToolbar"> & Pick<UploadActions, "editImage">;
type EditorPlace = { readonly documentId: string; readonly uploads: UploadStore };
type EditedText = {
  readonly id: string;
  readonly title: string;
  readonly uploads: UploadStore;
  readonly people: PeopleHere;
};
const following = part(() => import("./follow-people.ts"));

/** The text of a document that is written on this page, as far as it is open. */
type OpenText = {
  /** The element for the text. */
  readonly place: RefObject<HTMLDivElement | null>;
  readonly opened: OpenEditor | undefined;
  /** Why the document could not be opened. */
  readonly problem: unknown;
  /** Whether the service cannot be asked for the document; it is asked again. */
  readonly isUnreachable: boolean;
};

/** A document that is written on this page. */
export type Editor = OpenText & {
  readonly title: TitleSaver;
  /** The files that are not in the text yet. */
  readonly uploads: UploadStore;
  /** The people who have the document open too. */
  readonly people: PeopleHere;
  /** Sends what is not saved; returns whether everything is. */
  readonly save: () => Promise<boolean>;
};

/** Opens a document for as long as the page is shown. Leaving it sends what is not saved. */
export function useEditor({ document: { id, title } }: View, actions: PageActions): Editor {
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  const [uploads] = useState(() => new UploadStore());
  const [people] = useState(() => new PeopleHere());
  const text = useOpenText({ id, title, uploads, people }, actions, refresh);
  usePeople(text.opened, id, people);
  const { opened } = text;
  const titles = useRef<TitleSaver>(undefined);
  titles.current ??= new TitleSaver(id, title, refresh);
  const saver = titles.current;
  useTitle(saver);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      const isLeft = opened !== undefined && asksBeforeClosing(opened);
      if (isLeft || !saver.isSaved || uploads.list.length > 0) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    const endReturn = onReturn(() => opened?.session.flush());
    return () => {
      removeEventListener("beforeunload", ask);
      endReturn();
    };
  }, [opened, saver, uploads]);
  const save = async (): Promise<boolean> => {
    const isTitleSaved = await saver.save();
    return (opened === undefined || (await opened.session.saved())) && isTitleSaved;
  };
  return { ...text, title: saver, uploads, people, save };
}

/** Goes on with the title of an earlier page, and sends the last one. */
function useTitle(saver: TitleSaver): void {
  const { messages } = useWords();
  useEffect(() => {
    openSessions.add(saver);
    void saver.restore().then((title) => {
      if (title !== undefined) notify({ text: messages.keptTexts(title), isFailure: true });
    });
    const endWriting = onPageEnd(() => saver.keepAtOnce());
    return () => {
      void saver.save().then(() => {
        saver.close();
        endWriting();
        openSessions.delete(saver);
      });
    };
  }, [saver, messages]);
}

/** Shows where others are, and tells them where this page is. Without its module there is only the list of people. */
function usePeople(opened: OpenEditor | undefined, documentId: string, people: PeopleHere): void {
  useEffect(() => {
    if (opened === undefined) return;
    let isOver = false;
    let end = (): void => undefined;
    const follow = ({ followPeople }: typeof import("./follow-people.ts")): void => {
      if (!isOver) end = followPeople(opened, documentId, people);
    };
    following.load().then(follow, () => undefined);
    return () => {
      isOver = true;
      end();
    };
  }, [opened, documentId, people]);
}

function useOpenText({ id, title, uploads, people }: EditedText, actions: PageActions, refresh: () => void): OpenText {
  const { messages } = useWords();
  const queries = useQueryClient();
  const place = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<OpenEditor>();
  const [problem, setProblem] = useState<unknown>();
  const [isUnreachable, setUnreachable] = useState(false);
  const latest = useRef(actions);
  latest.current = actions;
  const firstTitle = useRef(title);
  useEffect(() => {
    const element = document.createElement("div");
    // Tab finds it before the text is there.
    element.tabIndex = 0;
    place.current?.replaceChildren(element);
    let isOver = false;
    let endStatus = (): void => undefined;
    const opening = openEditor({
      userId: boot().app.user.id,
      documentId: id,
      title: firstTitle.current,
      place: element,
      names: namesIn(messages),
      actions: editorActions(() => latest.current, { documentId: id, uploads }, messages),
      people,
      retry: () => {
        if (!isOver) setUnreachable(true);
        return !isOver;
      },
      sayUnreadable: () => notify({ text: messages.keptUnreadable, isFailure: true }),
    });
    const forgetting = { forget: () => opening.then(forget) };
    const show = (editor: OpenEditor): void => {
      if (isOver) return;
      openSessions.add(forgetting);
      endStatus = onCalmStatus(editor.session, refresh);
      editor.keeper.onFailure(refresh);
      setOpened(editor);
    };
    opening.then(show, (error: unknown) => isOver || setProblem(error));
    const leave = async (editor: OpenEditor): Promise<void> => {
      editor.end();
      openSessions.delete(forgetting);
      const kept = await sendInBackground(editor);
      await queries.invalidateQueries();
      if (kept.length > 0) notify({ text: messages.keptTexts(kept.join("\n")), isFailure: true });
    };
    return () => {
      isOver = true;
      endStatus();
      setOpened(undefined);
      void opening.then(leave, whenNotOpened);
    };
  }, [id, uploads, people, refresh, messages, queries]);
  return { place, opened, problem, isUnreachable };
}

const namesIn = (messages: Messages): EditorNames => ({
  label: messages.editorLabel,
  help: messages.editorKeys,
  task: messages.toolTask,
  source: messages.rawSource,
  frontMatter: messages.frontMatter,
  formula: messages.formula,
  formulaFaults: messages.formulaFaults,
});

/** What the page does for the editor; `latest` returns what it does now. */
const editorActions = (latest: () => PageActions, place: EditorPlace, messages: Messages): EditorActions => ({
  ...place,
  focusToolbar,
  editLink: () => latest().editLink(),
  editImage: () => latest().editImage(),
  find: () => latest().find(),
  openSource: () => latest().openSource(),
  done: () => latest().done(),
  locale: boot().locale,
  sayMissing: (error) =>
    void untilLeft().then(() => notify({ text: failureText(missingModuleError(error), messages), isFailure: true })),
  sayUnread: () => notify({ text: messages.pastedUnread, isFailure: true }),
});

/** What could not be opened needs no end. */
const whenNotOpened = (): void => undefined;

function focusToolbar(): void {
  document.querySelector<HTMLElement>("[data-toolbar] button:not(:disabled)")?.focus();
}
