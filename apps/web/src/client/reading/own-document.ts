/** A document of ours to which an address leads: its id, and the address by which documents are linked. */
export type OwnDocument = { readonly id: string; readonly href: string };

const path = /^\/documents\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Returns the document of ours to which an address leads; null for any other address. */
export function ownDocument(address: string, origin: string = location.origin): OwnDocument | null {
  if (!URL.canParse(address, origin)) return null;
  const { origin: given, pathname, hash } = new URL(address, origin);
  const id = given === origin ? path.exec(pathname)?.[1] : undefined;
  return id === undefined ? null : { id, href: `/documents/${id}${hash}` };
}
