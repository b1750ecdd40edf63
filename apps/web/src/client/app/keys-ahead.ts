import { keyAfter } from "./typed-key.ts";

/** The text that was typed for the fields of a document that are not shown yet. A line break stands for Enter, which leads from the title to the text. */
type KeysAhead = {
  /** Undefined while the document is being created. */
  documentId: string | undefined;
  /** The address at which the first key was typed. */
  readonly from: string;
  typed: string;
  /** Whether the page of the document, or what stands for it meanwhile, has been shown. */
  isShown: boolean;
  /** Whether the keys are for the text: from the first one on, or since the title has its part. */
  isForText: boolean;
  /** Whether the title has its part, and so the focus until the text takes it. */
  isTitleTaken: boolean;
};

let ahead: KeysAhead | undefined;

/** Where keys have a meaning of their own. */
const ownKeys = "input, textarea, select, [contenteditable=true], [role=dialog], dialog, [role=menu]";

/** The text that is typed for one document, as its title and its body. */
export type TypedText = { readonly title: string; readonly text: string };

type KeysOptions = {
  /** Undefined while the document is being created. */
  readonly documentId?: string;
  /** The keys typed before: the title and, after a line break, the text. */
  readonly typed?: string;
  /** Whether the document has its title, so that all keys are for its text. Default: false. */
  readonly isForText?: boolean;
};

/** The keys that are kept for one document, whatever becomes of its page. */
type KeptKeys = {
  /** Names the document, which was created meanwhile: no other one gets the keys. */
  readonly tie: (documentId: string) => void;
  /** Takes them where the page of the document is not shown. */
  readonly take: () => TypedText;
};

/**
 * Keeps keys for the page on which a document is written, until its fields take them. They do nothing else meanwhile. It ends as well when
 * the reader points at something, types into another field, or presses Escape, which forgets them.
 */
export function beginKeysAhead({ documentId, typed = "", isForText = false }: KeysOptions): KeptKeys {
  const own: KeysAhead = { documentId, from: location.href, typed, isShown: false, isForText, isTitleTaken: false };
  ahead = own;
  addEventListener("keydown", keep, { capture: true });
  addEventListener("pointerdown", stopKeysAhead, { capture: true });
  return {
    tie: (id) => {
      own.documentId = id;
    },
    take: () => {
      if (ahead === own) dropKeysAhead();
      if (isForText) return { title: "", text: own.typed };
      const [title = "", ...lines] = own.typed.split("\n");
      return { title, text: lines.join("\n") };
    },
  };
}

/**
 * Records that a page is shown for which a document was to be opened: from here on, keys are kept only while it waits for its parts. On
 * another page the reader has left the document, and would find the keys in its title much later.
 */
export function showKeysAhead(documentId: string): void {
  if (ahead?.documentId !== documentId) return;
  if (isAt(documentId)) ahead.isShown = true;
  else dropKeysAhead();
}

const isAt = (documentId: string): boolean => location.pathname.startsWith(`/documents/${documentId}`);

/** Keeps no further keys; the document gets those that were typed. */
export function stopKeysAhead(): void {
  removeEventListener("keydown", keep, { capture: true });
  removeEventListener("pointerdown", stopKeysAhead, { capture: true });
}

function dropKeysAhead(): void {
  stopKeysAhead();
  ahead = undefined;
}

/**
 * Returns what was typed for the title of this document. After an Enter, further keys are kept for its text. With `isNamed` all of it is
 * kept for the text: somebody else may have given the document its title since the first key.
 */
export function takeKeysForTitle(documentId: string, isNamed: boolean): string {
  if (ahead?.documentId !== documentId) {
    dropKeysAhead();
    return "";
  }
  ahead.isTitleTaken = true;
  ahead.isForText ||= isNamed;
  if (ahead.isForText) return "";
  const { typed } = ahead;
  const end = typed.indexOf("\n");
  if (end === -1) {
    dropKeysAhead();
    return typed;
  }
  ahead.typed = typed.slice(end + 1);
  ahead.isForText = true;
  return typed.slice(0, end);
}

/** Returns what was typed for the text of this document, and keeps no more; undefined if there is nothing for it. */
export function takeKeysForText(documentId: string): string | undefined {
  const taken = ahead?.documentId === documentId && ahead.isForText ? ahead.typed : undefined;
  dropKeysAhead();
  return taken;
}

function keep(event: KeyboardEvent): void {
  if (ahead === undefined || event.key === "Escape" || !isAwaited(ahead)) {
    if (ahead !== undefined && event.key === "Escape") ahead.typed = "";
    dropKeysAhead();
    return;
  }
  const isElsewhere = event.target instanceof Element && event.target.closest(ownKeys) !== null;
  if (isElsewhere && !ahead.isTitleTaken) {
    stopKeysAhead();
    return;
  }
  const typed = endsTitle(ahead, event) ? `${ahead.typed}\n` : keyAfter(ahead.typed, event, { hasLines: true });
  if (typed === undefined) return;
  ahead.typed = typed;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Returns whether a key leads on from the title, as it does in the field. */
const endsTitle = ({ typed, isForText }: KeysAhead, { key, shiftKey }: KeyboardEvent): boolean =>
  key === "Tab" && !shiftKey && !isForText && !typed.includes("\n");

/** Returns whether the page of the document is on its way: nothing that keys are for has been shown since the first one. */
function isAwaited({ documentId, from, isShown }: KeysAhead): boolean {
  const isAtPage = documentId !== undefined && isAt(documentId);
  if (!isShown) return isAtPage || location.href === from;
  return isAtPage && document.querySelector("#main[aria-busy=true], #main [aria-busy=true]") !== null;
}
