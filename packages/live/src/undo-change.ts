import type { DocJSON } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import { Fragment, type Node, Slice } from "prosemirror-model";
import { AttrStep, ReplaceAroundStep, ReplaceStep, type Step } from "prosemirror-transform";
import { difference } from "./difference.ts";
import { leafText } from "./leaf-text.ts";
import { Rebasing } from "./rebasing.ts";

/** A change of a document, and what the document is now. */
export interface ChangeToUndo {
  readonly before: DocJSON;
  readonly after: DocJSON;
  readonly current: DocJSON;
}

/** A document without a change that was made earlier, and how much of the change was taken back. */
export interface UndoneChange {
  readonly content: DocJSON;
  /** Number of separate places of the change that were taken back. */
  readonly undone: number;
  /** Number of places that stay, because their text was changed or deleted since. */
  readonly left: number;
}

/**
 * Takes back one change of a document and keeps all that was written since. The inverse of the change is rebased onto the later
 * changes, so that a deletion spares text that was inserted later, inside of the deleted range too. A place is left as it is where
 * its text was rewritten or has come back since: old text beside new text would be neither version.
 */
export function undoChange({ before, after, current }: ChangeToUndo): UndoneChange {
  const base = schema.nodeFromJSON(after);
  let doc = schema.nodeFromJSON(current);
  // Both differences begin at the same document, so that their positions can be compared.
  const inverse = difference(base, schema.nodeFromJSON(before));
  const since = difference(base, doc);
  const written = since.map(writtenBy);
  const parts = inverse.map((part) => ({ step: withoutReturned(part, written), isLeft: isLeft(part, written, base) }));
  const rebasing = new Rebasing(parts.map(({ step }) => step));
  for (const step of since) rebasing.addForeign(step);
  let undone = 0;
  for (const [index, part] of parts.entries()) {
    if (part.isLeft) continue;
    const mapped = rebasing.map(index, doc);
    if (mapped.step === null || mapped.lost !== "" || isEmpty(mapped.step)) continue;
    doc = mapped.doc;
    rebasing.addPlaced(index, mapped.step);
    undone++;
  }
  return { content: doc.toJSON(), undone, left: parts.length - undone };
}

/** Whether a step does nothing, as a deletion of what is gone already. */
const isEmpty = (step: Step): boolean => step instanceof ReplaceStep && step.from === step.to && step.slice.size === 0;

/** A later step, the text that it wrote, and what identifies each node that it wrote. */
interface Later {
  readonly step: Step;
  readonly text: string;
  readonly nodes: ReadonlySet<string>;
}

function writtenBy(step: Step): Later {
  const content = step instanceof ReplaceStep ? step.slice.content : Fragment.empty;
  return { step, text: textOf(content), nodes: new Set(content.content.map(identityOf)) };
}

/** Words with single spaces between them; of a leaf such as a picture, its address. */
const textOf = (content: Fragment): string =>
  content.textBetween(0, content.size, " ", leafText).replace(/\s+/g, " ").trim();

/** A block is the same with another type, marks or attributes; inline content is not. */
function identityOf(node: Node): string {
  const text = node.isBlock ? textOf(Fragment.from(node)) : "";
  return text === "" ? JSON.stringify(node.toJSON()) : text;
}

/** Returns what identifies the nodes that later steps wrote at the place of a part of the undo. */
const returnedAt = (part: ReplaceStep, since: readonly Later[]): ReadonlySet<string> =>
  new Set(since.flatMap(({ step, nodes }) => (touches(part, step) ? [...nodes] : [])));

const touches = (part: ReplaceStep, later: Step): later is ReplaceStep =>
  later instanceof ReplaceStep && later.from <= part.to && later.to >= part.from;

/** Returns a part of the undo without the blocks that are there again. */
function withoutReturned(part: Step, since: readonly Later[]): Step {
  if (!(part instanceof ReplaceStep) || part.slice.openStart + part.slice.openEnd > 0) return part;
  const { content } = part.slice.content;
  const returned = returnedAt(part, since);
  const absent = content.filter((node) => !node.isBlock || !returned.has(identityOf(node)));
  // Where all are there, the whole part is left.
  if (absent.length === 0 || absent.length === content.length) return part;
  return new ReplaceStep(part.from, part.to, new Slice(Fragment.from(absent), 0, 0));
}

/** Whether later steps replaced what a part of the undo would bring back, or have brought it back. */
function isLeft(part: Step, since: readonly Later[], base: Node): boolean {
  if (part instanceof ReplaceStep) return isReplaced(part, since, base);
  return since.some(({ step }) => {
    if (part instanceof AttrStep && step instanceof AttrStep) return part.pos === step.pos && part.attr === step.attr;
    return retypedAt(part) !== null && retypedAt(part) === retypedAt(step);
  });
}

/** The position of the block whose type or attribute a step of a difference changes. */
function retypedAt(step: Step): number | null {
  if (step instanceof AttrStep) return step.pos;
  return step instanceof ReplaceAroundStep ? step.from : null;
}

function isReplaced(part: ReplaceStep, since: readonly Later[], base: Node): boolean {
  // A deletion brings nothing back, and spares what it has not seen.
  if (part.slice.size === 0) return false;
  const near = since.filter(({ step }) => touches(part, step));
  if (near.length === 0) return false;
  const isInline = base.resolve(part.from).parent.inlineContent;
  if (near.some(({ step }) => isRewritten(part, step, isInline))) return true;
  const text = textOf(part.slice.content);
  if (text !== "" && near.some((later) => covers(later.step, part) && later.text.includes(text))) return true;
  const returned = returnedAt(part, near);
  return part.slice.content.content.every((node) => returned.has(identityOf(node)));
}

/** Whether a later step replaced the text in which a part of the undo lies. */
function isRewritten(part: ReplaceStep, later: Step, isInline: boolean): boolean {
  if (!(later instanceof ReplaceStep)) return false;
  if (later.from < part.from && later.to > part.from) return true;
  if (isInline) return later.from < part.to && later.to > part.from && later.from < later.to;
  // Of blocks, those that are still there can be taken away.
  return covers(later, part) && part.from < part.to;
}

const covers = (later: Step, part: ReplaceStep): boolean =>
  later instanceof ReplaceStep && later.from <= part.from && later.to >= part.to;
