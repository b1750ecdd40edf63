import { DOMParser, DOMSerializer } from "prosemirror-model";
import { schema } from "../src/client/editor/schema.ts";
import { showInEditor } from "./editor-shown.ts";

/** Shows a document, as JSON, as elements and reads them back, in a browser; returns both as JSON where they differ. */
export function differencesAfterReading(json: string): string[] {
  const doc = schema.nodeFromJSON(JSON.parse(json));
  const element = document.createElement("div");
  element.append(DOMSerializer.fromSchema(schema).serializeFragment(doc.content));
  const read = DOMParser.fromSchema(schema).parse(element, { preserveWhitespace: "full" });
  return doc.eq(read) ? [] : [JSON.stringify(doc.toJSON()), JSON.stringify(read.toJSON())];
}

/** Shows a document, as JSON, that nobody may write in. */
export function showReadOnly(json: string): void {
  const place = document.createElement("div");
  document.body.append(place);
  showInEditor(place, json, false);
}
