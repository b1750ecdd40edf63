import { EditorState, type Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type EditorActions, editorPlugins, type ShownSession, showSession } from "../src/client/editor/editor-view.ts";
import { schema } from "../src/client/editor/schema.ts";
import { UploadStore } from "../src/client/editor/upload-store.ts";

const nothing = (): void => undefined;
const names = {
  label: "Text",
  help: "",
  task: "Done",
  source: "Source",
  frontMatter: "Front matter",
  formula: "Formula",
  formulaFaults: {},
};

const actionsFor = (locale: "en"): EditorActions => ({
  focusToolbar: nothing,
  editLink: nothing,
  openSource: nothing,
  find: nothing,
  editImage: nothing,
  documentId: "",
  uploads: new UploadStore(),
  done: nothing,
  sayUnread: nothing,
  sayMissing: nothing,
  locale,
});

const stateOf = (json: string): EditorState =>
  EditorState.create({ doc: schema.nodeFromJSON(JSON.parse(json)), plugins: editorPlugins(actionsFor("en"), []) });

/** Shows a document, as JSON, in the editor without a service. Returns a function that ends it. */
export function showInEditor(place: HTMLElement, json: string, canWrite: boolean): () => void {
  const session = {
    state: stateOf(json),
    canWrite,
    dispatch: nothing,
    takeWaiting: nothing,
    on: () => nothing,
    hold: nothing,
    release: nothing,
  };
  return showSession(place, session, names).end;
}

/** A document in the editor without a service, in which everything that is written stays on the page. */
export type LocalEditor = {
  readonly view: EditorView;
  /** Takes a change by others, which waits while an input method writes. */
  readonly receive: (change: (state: EditorState) => Transaction) => void;
  readonly end: () => void;
};

/** Shows a document, as JSON, in the editor without a service, to be written, or to be read while others write. */
export function writeInEditor(place: HTMLElement, json: string, canWrite = true): LocalEditor {
  const listeners = { state: new Set<() => void>(), arrival: new Set<() => void>() };
  let state = stateOf(json);
  let isHeld = false;
  const waiting: ((state: EditorState) => Transaction)[] = [];
  const drain = (): void => {
    for (const change of isHeld ? [] : waiting.splice(0)) {
      for (const listener of listeners.arrival) listener();
      show(change(state));
    }
  };
  const show = (transaction: Transaction): void => {
    state = state.apply(transaction);
    for (const listener of listeners.state) listener();
  };
  const session: ShownSession = {
    get state() {
      return state;
    },
    canWrite,
    dispatch: (transaction) => {
      if (!canWrite && transaction.docChanged) throw new Error("Something wrote in a text that may only be read");
      show(transaction);
    },
    takeWaiting: nothing,
    on: (event, listener) => {
      const known = event === "arrival" ? listeners.arrival : listeners.state;
      known.add(listener);
      return () => void known.delete(listener);
    },
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      drain();
    },
  };
  const receive = (change: (state: EditorState) => Transaction): void => {
    waiting.push(change);
    drain();
  };
  return { ...showSession(place, session, names), receive };
}
