import { EditorState } from "prosemirror-state";
import { editorPlugins, showSession } from "../src/client/editor/editor-view.ts";
import { schema } from "../src/client/editor/schema.ts";
import { UploadStore } from "../src/client/editor/upload-store.ts";

const nothing = (): void => undefined;

/** Shows a document, as JSON, in the editor without a service. Returns a function that ends it. */
export function showInEditor(place: HTMLElement, json: string, canWrite: boolean): () => void {
  const keys = {
    focusToolbar: nothing,
    editLink: nothing,
    openSource: nothing,
    find: nothing,
    editImage: nothing,
    documentId: "",
    uploads: new UploadStore(),
    done: nothing,
  };
  const actions = { ...keys, sayUnread: nothing, sayMissing: nothing, locale: "en" } as const;
  const state = EditorState.create({ doc: schema.nodeFromJSON(JSON.parse(json)), plugins: editorPlugins(actions) });
  const names = { label: "Text", help: "", task: "Done", source: "Source", formula: "Formula" };
  const session = { state, canWrite, dispatch: nothing, on: () => nothing, hold: nothing, release: nothing };
  return showSession(place, session, names).end;
}
