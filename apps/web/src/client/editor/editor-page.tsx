import { loadOpenAgain } from "@kb/live/session";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useEffect, useState } from "react";
import type { View } from "../api/contract.ts";
import { boot } from "../app/boot.ts";
import { notify } from "../app/notices.ts";
import { ariaKeys } from "../app/shortcuts.ts";
import { TypedAhead } from "../app/typed-ahead.tsx";
import { useShortcut } from "../app/use-shortcut.ts";
import { useWords } from "../app/words.tsx";
import { Icon } from "../parts/icon.tsx";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import { usePreload } from "../parts/use-preload.ts";
import { keepPlace } from "../reading/kept-place.ts";
import { TitleField } from "../writing/title-field.tsx";
import page from "../writing/writing-page.module.css";
import { loadCopying } from "./copying.ts";
import styles from "./editor.module.css";
import { loadTables } from "./in-table.ts";
import { KeptText, loadKeptList } from "./kept-text.tsx";
import { loadReading } from "./paste.ts";
import type { PeopleHere } from "./people-here.ts";
import { editorStatus } from "./status-text.ts";
import { loadSuggestions } from "./suggesting.ts";
import { EditorToolbar, loadLinks } from "./toolbar.tsx";
import { loadUploadRows, UploadList } from "./upload-list.tsx";
import { loadUploads } from "./uploads.ts";
import { useEditor } from "./use-editor.ts";
import { useTextAhead } from "./use-text-ahead.ts";

const FindBar = lazyLayer(async () => (await import("./find-bar.tsx")).FindBar, TypedAhead);

const EditorOutline = lazyLayer(async () => (await import("./editor-outline.tsx")).EditorOutline);
const BesideText = lazyLayer(async () => (await import("./beside-text.tsx")).BesideText);
const PeopleList = lazyLayer<{ readonly people: PeopleHere; readonly onClose: () => void }>(
  async () => (await import("./people-list.tsx")).PeopleList,
);
/** These are there as long as the text is. */
const stay = (): void => undefined;

/** Loads the page of the Markdown source. Nobody waits for it. */
const loadSource = (): void => void import("../writing/source-writer.tsx").catch(() => undefined);

/** Loads what compares the text with a document that was replaced. Nobody waits for it: the session asks again. */
const loadComparing = (): void => void loadOpenAgain().catch(() => undefined);

/** Loads what the editor needs later. */
const loadParts = (): void => {
  for (const load of [
    loadTables,
    loadSuggestions,
    loadUploads,
    loadUploadRows,
    loadReading,
    loadCopying,
    loadKeptList,
    loadLinks,
    loadSource,
    loadComparing,
    FindBar.preload,
    PeopleList.preload,
  ])
    load();
};

/** A page on which a document is written as it is read, together with others. It says in words what is saved. */
export function EditorPage({ view: document_ }: { readonly view: View }): ReactElement {
  const words = useWords();
  const { messages } = words;
  const navigate = useNavigate();
  const { id } = document_.document;
  const [isLinking, setLinking] = useState(false);
  const [finding, setFinding] = useState(0);
  const [isDescribing, setDescribing] = useState(false);
  const leave = async (search: { edit?: "source" }): Promise<void> => {
    if (editor.uploads.list.length > 0) notify({ text: messages.uploadsLeft, isFailure: true });
    else if (await editor.save()) {
      const resetScroll = !keepPlace(id, editor.opened?.view.dom);
      await navigate({ to: "/documents/$documentId", params: { documentId: id }, search, resetScroll });
    } else notify({ text: messages.notLeft, isFailure: true });
  };
  const editor = useEditor(document_, {
    editLink: () => setLinking(true),
    find: () => setFinding((count) => count + 1),
    editImage: () => setDescribing(true),
    openSource: () => void leave({ edit: "source" }),
    done: () => void leave({}),
  });
  const { opened, problem } = editor;
  const title = editor.title.current;
  const status = editorStatus(editor, words);
  const focusText = useTextAhead(document_.document, editor);
  usePreload(loadParts);
  useShortcut("save", () => void editor.save());
  useShortcut("done", () => void leave({}));
  useEffect(() => {
    document.title = `${title || messages.untitled} · ${boot().app.team.name}`;
  }, [title, messages]);
  return (
    <>
      <main id="main" className="main" tabIndex={-1} aria-busy={opened === undefined && problem === undefined}>
        <div className={document_.document.fullWidth ? "column wide" : "column"}>
          <h1 className="visually-hidden">{messages.writing(title || messages.untitled)}</h1>
          <div className={page.bar}>
            <p role="status" className={page.status} data-kind={status.kind}>
              {status.text}
            </p>
            <PeopleList people={editor.people} onClose={stay} />
            <PageButtons
              onFind={() => setFinding((count) => count + 1)}
              onSource={() => void leave({ edit: "source" })}
              onDone={() => void leave({})}
            />
            {opened !== undefined && (
              <EditorToolbar
                opened={opened}
                isLinking={isLinking}
                onLinking={setLinking}
                isDescribing={isDescribing}
                onDescribing={setDescribing}
              />
            )}
            {opened !== undefined && finding > 0 && (
              <FindBar view={opened.view} asked={finding} onClose={() => setFinding(0)} />
            )}
          </div>
          <UploadList uploads={editor.uploads} />
          <KeptText opened={opened} origin={document_.document} />
          <TitleField
            documentId={id}
            title={title}
            emoji={document_.document.emoji}
            onChange={(next) => editor.title.change(next)}
            onEnd={focusText}
          />
          <div className={styles.text}>
            <div ref={editor.place} className={styles.place} />
            {opened !== undefined && <BesideText view={opened.view} onLink={() => setLinking(true)} onClose={stay} />}
          </div>
          <p className={page.help}>{messages.editorHelp}</p>
        </div>
      </main>
      <aside className="aside">{opened !== undefined && <EditorOutline view={opened.view} onClose={stay} />}</aside>
    </>
  );
}

type PageButtonsProps = { readonly onFind: () => void; readonly onSource: () => void; readonly onDone: () => void };

function PageButtons({ onFind, onSource, onDone }: PageButtonsProps): ReactElement {
  const { messages } = useWords();
  return (
    <span className={styles.buttons}>
      <button
        type="button"
        className="button"
        aria-label={messages.findTitle}
        title={messages.findTitle}
        aria-keyshortcuts="Control+F Meta+F"
        onClick={onFind}
      >
        <Icon name="search" />
      </button>
      <button type="button" className="button" onClick={onSource}>
        {messages.markdownSource}
      </button>
      <button type="button" className="button primary" aria-keyshortcuts={ariaKeys("done")} onClick={onDone}>
        {messages.done}
      </button>
    </span>
  );
}
