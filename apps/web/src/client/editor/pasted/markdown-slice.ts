import { Slice } from "prosemirror-model";
import { schema } from "../schema.ts";

/** Content to paste; `isMarkdown` is false for the text itself, which is more than the codec reads. */
type Pasted = { readonly slice: Slice; readonly isMarkdown: boolean };

/** Returns Markdown as content to paste; null if the codec could not be loaded, which comes with the first paste. */
export async function sliceOfMarkdown(text: string): Promise<Pasted | null> {
  const codec = await import("markdown-codec").catch(() => null);
  if (codec === null) return null;
  try {
    return { slice: Slice.maxOpen(schema.nodeFromJSON(codec.parseMarkdown(text)).content), isMarkdown: true };
  } catch {
    const { content } = schema.node("doc", null, [schema.node("paragraph", null, [schema.text(text)])]);
    return { slice: new Slice(content, 1, 1), isMarkdown: false };
  }
}
