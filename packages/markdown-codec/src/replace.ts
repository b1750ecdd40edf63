import { footnotesWith, requireFootnotes } from "./edit/footnotes.ts";
import { Pattern } from "./edit/matches.ts";
import { excerpt, nearestPassages } from "./edit/passages.ts";
import { type PlainMatch, PlainText } from "./edit/plain-text.ts";
import { type PlainEdit, replacePlain } from "./edit/replace-plain.ts";
import { replaceWritten, type WrittenEdit } from "./edit/replace-written.ts";
import { writeBlocks } from "./edit/written.ts";
import { CodecError } from "./error.ts";
import { cleanText } from "./normal/text.ts";
import { normalize } from "./normalize.ts";
import { Reader } from "./read.ts";
import { theTokenizer } from "./syntax/the-tokenizer.ts";
import type { DocJSON, ParseOptions, Replacement } from "./types.ts";

/** No more matches than this are counted: one is wanted, and the others only say that there are many. */
const MOST_MATCHES = 100;
/** At most this many passages are shown. */
const MOST_PASSAGES = 3;

/**
 * The document with a text replaced that occurs exactly once: in its Markdown as `serializeMarkdown` writes it, or else
 * in its text as a reader sees it, within one block. The new text is Markdown (in a code block it is code). Kept parts of
 * the old text keep their marks, and no mark spreads. The rest of the document stays as it is, byte for byte.
 *
 * @throws CodecError `TEXT_NOT_FOUND`, with `count` 0 or more than 1 (at most 100 are counted) and the nearest passages;
 *   `UNSUPPORTED` where the new text would change the Markdown around it
 */
export function replaceText(doc: DocJSON, oldText: string, newText: string, options: ParseOptions = {}): DocJSON {
  try {
    return replaceTexts(doc, [{ oldText, newText }], options);
  } catch (error) {
    if (!(error instanceof CodecError) || error.edit === undefined) throw error;
    throw new CodecError(error.code, error.message, { ...error, edit: undefined });
  }
}

/**
 * The document with several texts replaced, all or none. Each is looked for in the document as it was.
 *
 * @throws CodecError as `replaceText`, with the index of the `edit` that failed; `INVALID_DOC` for what is no list of texts
 */
export function replaceTexts(doc: DocJSON, edits: readonly Replacement[], options: ParseOptions = {}): DocJSON {
  const target = normalize(doc).doc;
  const places = placesOf(target, readEdits(edits));
  let result = applyAll(target, places, options);
  if ("failed" in result) {
    const failed = new Set(result.failed.map((edit) => edit.index));
    result = applyAll(
      target,
      places.map((place) => (failed.has(place.index) ? asPlain(place) : place)),
      options,
    );
    if ("failed" in result) throw wouldChangeMore(result.failed[0]?.index);
  }
  requireFootnotes(target, result.doc);
  return normalize(result.doc).doc;
}

interface Edit extends Replacement {
  readonly index: number;
}

/** The edits with their places in the list. @throws CodecError `INVALID_DOC` for what is no list of two texts each */
function readEdits(edits: unknown): readonly Edit[] {
  if (!Array.isArray(edits)) throw new CodecError("INVALID_DOC", "Expected the edits as a list.");
  return Array.from(edits, (edit: unknown, index): Edit => {
    if (!isReplacement(edit)) {
      throw new CodecError("INVALID_DOC", "Expected the old text and the new text as strings.", { edit: index });
    }
    return { index, oldText: cleanText(edit.oldText), newText: cleanText(edit.newText) };
  });
}

function isReplacement(edit: unknown): edit is Replacement {
  if (typeof edit !== "object" || edit === null || !("oldText" in edit) || !("newText" in edit)) return false;
  return typeof edit.oldText === "string" && typeof edit.newText === "string";
}

/** An edit, and where its old text occurs: once in the Markdown, once in the text, or once in each. */
interface Place extends Edit {
  readonly start: number | undefined;
  readonly plain: PlainMatch | undefined;
}

function placesOf(doc: DocJSON, edits: readonly Edit[]): readonly Place[] {
  const { markdown } = writeBlocks(doc);
  const text = new PlainText(doc);
  return edits.map((edit) => {
    const pattern = new Pattern(edit.oldText);
    const starts = pattern.matches(markdown, MOST_MATCHES);
    const matches = text.find(edit.oldText, pattern, MOST_MATCHES);
    const start = starts.length === 1 ? starts[0] : undefined;
    const plain = matches.length === 1 ? matches[0] : undefined;
    if (start === undefined && plain === undefined) throw notFound(edit, markdown, starts, matches.length);
    // Code is replaced as code: the new text is no Markdown there.
    return { ...edit, start: plain && isInCode(plain, edit.oldText) ? undefined : start, plain };
  });
}

function isInCode({ block, path }: PlainMatch, text: string): boolean {
  return block.type === "codeBlock" && (path.length === 1 || !text.includes("\n"));
}

function notFound({ index, oldText }: Edit, markdown: string, starts: readonly number[], plain: number): CodecError {
  const count = starts.length || plain;
  const times = count === MOST_MATCHES ? `at least ${count}` : count;
  const found = starts.slice(0, MOST_PASSAGES).map((start) => excerpt(markdown, start, oldText.length));
  const passages = found.length > 0 ? [...new Set(found)] : nearestPassages(markdown, oldText);
  const message = `The text occurs ${times} times, and it has to occur once.`;
  return new CodecError("TEXT_NOT_FOUND", message, { count, passages, edit: index });
}

function asPlain(place: Place): Place {
  if (place.plain === undefined) throw wouldChangeMore(place.index);
  return { ...place, start: undefined };
}

function wouldChangeMore(edit: number | undefined): CodecError {
  const message = "The new text would change the Markdown around it: name a larger part of the text, in Markdown.";
  return new CodecError("UNSUPPORTED", message, { edit });
}

function overlapping(edit: number): CodecError {
  const message = "Another edit of the same call changes this text.";
  return new CodecError("TEXT_NOT_FOUND", message, { count: 0, passages: [], edit });
}

// The edits in the text first, which are exact; then those in the Markdown, of which each is looked for once more.
function applyAll(doc: DocJSON, places: readonly Place[], options: ParseOptions): ReturnType<typeof replaceWritten> {
  const labels = footnotesWith(
    doc,
    places.map((place) => place.newText),
  );
  const plain = places.flatMap((place) =>
    place.start === undefined && place.plain ? [plainEdit(place, place.plain)] : [],
  );
  const newReader = (): Reader => new Reader({ tokenizer: theTokenizer(options.cjkFriendly), known: labels });
  const edited = plain.length === 0 ? doc : normalize(replacePlain(doc, inReverse(plain), newReader)).doc;
  const written = writeBlocks(edited);
  const others = places.flatMap((place) => (place.start === undefined ? [] : [writtenEdit(place, written.markdown)]));
  others.sort((a, b) => a.start - b.start);
  others.forEach((edit, index) => {
    if (edit.start < (others[index - 1]?.end ?? 0)) throw overlapping(edit.index);
  });
  return replaceWritten(edited, written, others, labels, options);
}

const plainEdit = ({ index, oldText, newText }: Edit, { path, start }: PlainMatch): PlainEdit => ({
  index,
  path,
  start,
  oldText,
  newText,
});

function writtenEdit({ index, oldText, newText }: Edit, markdown: string): WrittenEdit {
  const [start, ...more] = new Pattern(oldText).matches(markdown, 2);
  if (start === undefined || more.length > 0) throw overlapping(index);
  return { index, start, end: start + oldText.length, newText };
}

function inReverse(edits: readonly PlainEdit[]): readonly PlainEdit[] {
  const sorted = [...edits].sort((a, b) => comparePaths(b.path, a.path) || b.start - a.start);
  sorted.forEach((edit, index) => {
    const next = sorted[index - 1];
    const isSame = next && comparePaths(next.path, edit.path) === 0;
    if (isSame && edit.start + edit.oldText.length > next.start) throw overlapping(edit.index);
  });
  return sorted;
}

function comparePaths(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((step, at) => step !== b[at]);
  return index === -1 ? a.length - b.length : (a[index] ?? 0) - (b[index] ?? -1);
}
