import type { EditorView } from "prosemirror-view";
import { call } from "../api/call.ts";
import { type OwnDocument, ownDocument } from "../reading/own-document.ts";
import { allowedAttributes } from "./attributes.ts";
import { setLink } from "./commands.ts";
import { composed } from "./composed.ts";
import { schema } from "./schema.ts";
import { trackPlace } from "./tracked-places.ts";

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

/** Links the document of ours to which a pasted address leads; any other address is text. */
export function pasteDocument(view: EditorView, text: string): void {
  const own = ownDocument(text);
  if (view.isDestroyed) return;
  if (own === null) view.pasteText(text);
  else void linkDocument(view, own, text);
}

/** Links a document of ours at the caret, by its title as soon as that is known. */
export async function linkDocument(view: EditorView, { id, href }: OwnDocument, address: string): Promise<void> {
  const { from } = view.state.selection;
  setLink(href, address)(view.state, view.dispatch);
  const place = trackPlace(view, from, from + address.length);
  // The address itself is a good link too.
  const title = await call("documents.get", { id }).then(
    (document) => document.title.trim(),
    () => "",
  );
  await composed(view);
  const now = place.now();
  if (title !== "" && now !== null && !view.isDestroyed) rename(view, now, { href, address, title });
  place.end();
}

type Renamed = { readonly href: string; readonly address: string; readonly title: string };

/** Gives a link a title in the place of its address, as far as it is still there as it was. */
function rename(view: EditorView, { from, to }: { from: number; to: number }, { href, address, title }: Renamed): void {
  const { tr, doc } = view.state;
  const node = doc.resolve(from).nodeAfter;
  const isLink = schema.marks.link?.isInSet(node?.marks ?? [])?.attrs.href === href;
  if (node === null || !isLink || doc.textBetween(from, to) !== address) return;
  view.dispatch(tr.replaceWith(from, to, schema.text(title, node.marks)));
}
