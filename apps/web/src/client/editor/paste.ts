import { DOMParser, type ParseOptions, type Slice } from "prosemirror-model";
import { type EditorState, Plugin, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { isIn, setLink } from "./commands.ts";
import { isSafeAddress } from "./marks.ts";
import { part } from "./part.ts";
import { schema } from "./schema.ts";
import type { UploadActions } from "./upload-state.ts";
import { inputOf } from "./view-input.ts";

/**
 * Text with one of these is taken for Markdown: a heading, a list, a quote, a fence, a table, a link, or bold text. No part of a
 * link reaches beyond the next `[`, so that long text is read once.
 */
const markdown =
  /^(?:#{1,6} |[-*+] |\d{1,9}[.)] |> |```|~~~|\|.*\|\s*$)|\[[^[\]\n]+\]\([^[)\s]+\)|\*\*[^*\s][^*\n]*\*\*/m;
const links = part(() => import("./link-picker.tsx"));
const reading = part(() => import("./pasted/reading.ts"));
const mostMarkdown = 1_000_000;
/** The format in which VS Code says the language of what was copied. */
const vsCodeFormat = "vscode-editor-data";

/** Loads what reads the HTML of other programs before somebody pastes some. */
export const loadReading = (): void => void reading.load().catch(() => undefined);

/** Reads pasted HTML after it was cleaned. */
class PastedParser extends DOMParser {
  override parseSlice(dom: Element, options: ParseOptions): Slice {
    reading.current?.cleanPasted(dom);
    return super.parseSlice(dom, options);
  }
}

/** An address by itself, of at most 2,000 characters. */
const address = /^(?:https?:\/\/|mailto:)[^\s<>"]{1,2000}$/i;

/**
 * Returns whether pasted text is an address that links the selected text instead of replacing it. What is selected is text of one
 * block, and may have a link.
 */
export function isPastedLink({ selection }: EditorState, text: string): boolean {
  const { link } = schema.marks;
  if (!(selection instanceof TextSelection) || selection.empty || link === undefined) return false;
  const { $from, $to } = selection;
  const isAllowed = $from.sameParent($to) && $from.parent.type.allowsMarkType(link);
  return isAllowed && address.test(text) && isSafeAddress(text);
}

/**
 * Takes pasted HTML through the cleaner and the schema, code of VS Code as code, text that looks like Markdown through the codec, and a
 * range of cells into the table around the caret. Shift pastes the text as it is; so does a page that cannot load what reads it, and says
 * so. An address links the selected text. A paste that the service would refuse as too large is dropped.
 */
export function pasting(actions: UploadActions & { readonly sayUnread: () => void }): Plugin {
  const { sayUnread } = actions;
  return new Plugin({
    filterTransaction: (tr) =>
      (tr.getMeta("paste") !== true && tr.getMeta("uiEvent") !== "drop") ||
      reading.current?.isTooLargePaste(tr) !== true,
    props: {
      handleDOMEvents: { dragenter: loadReading },
      clipboardParser: new PastedParser(schema, DOMParser.fromSchema(schema).rules),
      transformPasted: (slice, view) => {
        reading.current?.uploadPictures(view, actions);
        return reading.current?.freeFootnotes(slice, view.state.doc) ?? slice;
      },
      transformPastedHTML: (html) => withoutStyles(storable(html)),
      transformPastedText: storable,
      handlePaste: (view, event, slice) => {
        const { clipboardData } = event;
        const text = storable(clipboardData?.getData("text/plain") ?? "");
        const html = clipboardData?.getData("text/html") ?? "";
        if (reading.current === undefined && text.length > mostMarkdown && (html === "" || isPlain(view))) {
          void whenRead(view, text, sayUnread, () => view.pasteText(text));
          return true;
        }
        if (!isPlain(view) && isPastedLink(view.state, text.trim()))
          return setLink(ownAddress(text.trim()))(view.state, view.dispatch);
        if (!isPlain(view) && pasteOwn(view, text.trim())) return true;
        if (isPlain(view) || view.state.selection.$from.parent.type.spec.code === true) return false;
        if (html === "" && text.includes("\t") && isIn(view.state, "table")) {
          const fill = (read: Reading): boolean => read.fillCells(view, slice, text) || view.pasteText(text);
          void whenRead(view, text, sayUnread, fill);
          return true;
        }
        if (reading.current?.fillCells(view, slice) === true) return true;
        const vsCode = clipboardData?.getData(vsCodeFormat) ?? "";
        if (vsCode !== "" && text.trim() !== "") return pasteCode(view, text, vsCode, sayUnread);
        if (html !== "") return pasteHtml(view, html, text, sayUnread);
        return pasteText(view, text, sayUnread);
      },
    },
  });
}

/** Leaves HTML to ProseMirror, which asks again for `clipboardParser`, as soon as what cleans it is loaded. */
function pasteHtml(view: EditorView, html: string, text: string, sayUnread: () => void): boolean {
  if (reading.current !== undefined) return false;
  void whenRead(view, text, sayUnread, () => view.pasteHTML(html));
  return true;
}

function pasteCode(view: EditorView, text: string, vsCode: string, sayUnread: () => void): boolean {
  void whenRead(view, text, sayUnread, ({ codeOf }) => {
    const code = codeOf(vsCode, text);
    if (code !== null) insert(view, code);
    else if (!pasteText(view, text, sayUnread)) view.pasteText(text);
    return true;
  });
  return true;
}

type Reading = typeof import("./pasted/reading.ts");

/** `paste` returns false if it could not read the text. */
async function whenRead(
  view: EditorView,
  text: string,
  sayUnread: () => void,
  paste: (reading: Reading) => boolean | undefined | Promise<boolean>,
): Promise<void> {
  const loaded = reading.current ?? (await reading.load().catch(() => null));
  if (view.isDestroyed || (loaded !== null && (await paste(loaded)) !== false) || view.isDestroyed) return;
  view.pasteText(text);
  sayUnread();
}

/** Returns whether a text is Markdown, which it becomes. */
function pasteText(view: EditorView, text: string, sayUnread: () => void): boolean {
  if (text.length > mostMarkdown || !markdown.test(text)) return false;
  void whenRead(view, text, sayUnread, ({ pasteMarkdown }) => pasteMarkdown(view, text));
  return true;
}

/** An address of ours has no name of a site, which may change. */
const ownAddress = (address: string): string =>
  address.startsWith(`${location.origin}/documents/`) ? address.slice(location.origin.length) : address;

/** Links the document of ours to which a pasted address leads. */
function pasteOwn(view: EditorView, text: string): boolean {
  const { selection } = view.state;
  const { link } = schema.marks;
  const isAllowed = selection.empty && link !== undefined && selection.$from.parent.type.allowsMarkType(link);
  if (!isAllowed || !text.startsWith(`${location.origin}/documents/`) || /\s/.test(text)) return false;
  void links.load().then(
    ({ pasteDocument }) => pasteDocument(view, text),
    () => view.isDestroyed || view.pasteText(text),
  );
  return true;
}

/** What the service cannot store, it would refuse with all that was written beside it: NUL, and halves of a character. */
const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");

function insert(view: EditorView, slice: Slice): void {
  view.dispatch(view.state.tr.replaceSelection(slice).setMeta("paste", true).scrollIntoView());
}

/** Returns whether Shift is held while ProseMirror handles a paste. */
const isPlain = (view: EditorView): boolean => inputOf(view)?.shiftKey === true;

/**
 * Renames styles and handlers in pasted HTML to data attributes, because the policy of the page reports each that is parsed, even
 * where nothing runs.
 */
export function withoutStyles(html: string): string {
  return html
    .replace(/<(style|script|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replace(tags, (tag) => tag.replace(/([\s"'/])(style|on[a-z]+)(?=\s*=)/gi, "$1data-$2"));
}

/** Tags, whose quoted values may have angle brackets; then those with a quote too many. */
const tags = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>|<[a-z][^<>]*>/gi;
