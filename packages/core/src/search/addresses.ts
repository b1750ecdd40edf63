import { type DocJSON, mapAddresses } from "markdown-codec";

/** The number of characters of addresses that a search finds, per document. */
const maxCharacters = 200_000;

/** The scheme and the usual first label of a host, which nobody searches for. */
const beginning = /^[a-z][a-z0-9+.-]*:(?:\/\/)?(?:www\.)?/i;
const ownDocument = /\/documents\/[0-9a-f]{8}-[0-9a-f-]{27}/i;
/** The address of an attachment before its name. */
const ownFile = /^.*\/files\/[\w-]{20,}\//;

/** Returns the texts of the addresses of links and images that a search finds, each once. Ids of the service are left out. */
export const searchableAddresses = (content: DocJSON): string[] => searchableOf(addressTexts(content));

/** Returns the text of each address in a document, in order. */
export function addressTexts(content: DocJSON): string[] {
  const texts: string[] = [];
  mapAddresses(content, (address) => {
    const text = ownDocument.test(address) ? "" : decoded(address.replace(ownFile, "").replace(beginning, ""));
    if (text !== "") texts.push(text);
    return undefined;
  });
  return texts;
}

/** Returns those of the texts of addresses that a search finds, each once. */
export function searchableOf(addresses: Iterable<string>): string[] {
  const texts = new Set<string>();
  let left = maxCharacters;
  for (const text of addresses) {
    if (text.length > left || texts.has(text)) continue;
    texts.add(text);
    left -= text.length;
  }
  return [...texts];
}

/** How an address in a query begins, with a bracket around it or without; other words with a colon, such as `localhost:8080`, are none. */
const typedBeginning = /^[(<[]?(?:(?:[a-z][a-z0-9+.-]*:\/\/|mailto:|tel:)(?:www\.)?|www\.)(?=.)/i;

/**
 * Returns how a document may have a text of a query. An address of a link is indexed without its beginning and decoded; in the
 * text of a document, an address is as it was written. Other texts are returned as they are.
 */
export function spellingsOf(text: string): { readonly linked: string; readonly written: string } {
  const written = text.replace(typedBeginning, "");
  return { linked: written === text ? text : decoded(written.replace(ownFile, "")), written };
}

/** Decodes percent signs where they are valid, so that words of any script are found. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
