import type { EditorView } from "prosemirror-view";
import { call } from "../api/call.ts";
import { allowedAttributes } from "./attributes.ts";
import { setLink } from "./commands.ts";
import { schema } from "./schema.ts";

/** A document of ours to which an address leads: its id, and the address by which documents are linked. */
type OwnDocument = { readonly id: string; readonly href: string };

const path = /^\/documents\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Returns the document of ours to which an address leads; null for any other address. */
export function ownDocument(address: string, origin: string = location.origin): OwnDocument | null {
  if (!URL.canParse(address, origin)) return null;
  const { origin: given, pathname, hash } = new URL(address, origin);
  const id = given === origin ? path.exec(pathname)?.[1] : undefined;
  return id === undefined ? null : { id, href: `/documents/${id}${hash}` };
}

/**
 * Returns the address that a text is, as documents have it; null for text that is none. `example.org/page` means a site; an address
 * of ours, a part of the page or a mail stay as they are.
 */
export function addressIn(text: string): string | null {
  const address = /^[\w-]+(?:\.[\w-]+)+(?:[/?#:]|$)/.test(text) ? `https://${text}` : text;
  if (/\s/.test(address) || !/^(?:[a-z][a-z\d+.-]*:.|[/#])/i.test(address) || !isAllowed(address)) return null;
  return ownDocument(address)?.href ?? address;
}

/** Returns whether a document may have a link with an address. */
const isAllowed = (href: string): boolean => allowedAttributes(schema.marks.link?.spec.attrs, { href }) !== false;

/** Links a document of ours at the caret, by its title as soon as that is known. */
export async function linkDocument(view: EditorView, { id, href }: OwnDocument, address: string): Promise<void> {
  setLink(href, address)(view.state, view.dispatch);
  // The address itself is a good link too.
  const title = await call("documents.get", { id }).then(
    (document) => document.title.trim(),
    () => "",
  );
  if (title !== "" && !view.isDestroyed) rename(view, href, address, title);
}

/** Gives a link a title in the place of its address, as far as it is still there. */
function rename(view: EditorView, href: string, address: string, title: string): void {
  const { tr, doc } = view.state;
  const { link } = schema.marks;
  let isFound = false;
  doc.descendants((node, position) => {
    const isLink = node.text === address && link?.isInSet(node.marks)?.attrs.href === href;
    if (isFound || !isLink) return !isFound;
    isFound = true;
    tr.replaceWith(position, position + node.nodeSize, schema.text(title, node.marks));
    return false;
  });
  if (isFound) view.dispatch(tr);
}
