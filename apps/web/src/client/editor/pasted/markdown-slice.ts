import type { DocJSON } from "markdown-codec";
import { Slice } from "prosemirror-model";
import { schema } from "../schema.ts";

/** Content to paste; `isMarkdown` is false for the text itself, which is more than the codec reads. */
type Pasted = { readonly slice: Slice; readonly isMarkdown: boolean };

/** Returns Markdown as content to paste; null if the codec could not be loaded, which comes with the first paste. */
export async function sliceOfMarkdown(text: string): Promise<Pasted | null> {
  const parse = await loadParser().catch(() => null);
  if (parse === null) return null;
  try {
    return { slice: Slice.maxOpen(schema.nodeFromJSON(parse(text)).content), isMarkdown: true };
  } catch {
    const { content } = schema.node("doc", null, [schema.node("paragraph", null, [schema.text(text)])]);
    return { slice: new Slice(content, 1, 1), isMarkdown: false };
  }
}

/** Loads the codec's reader. The file has what is named here only, not what the codec does besides. */
async function loadParser(): Promise<(text: string) => DocJSON> {
  const { parseMarkdown } = await import("markdown-codec");
  return parseMarkdown;
}
