/** An address that stands in a text as it is: from `start` to `end`, and what a link to it has. */
export interface BareAddress {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

const URL_START = /(?:https?:\/\/|www\.)(?=[a-z0-9])/gi;
const DOMAIN =
  /^(?:https?:\/\/|www\.)(?:localhost\b|(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}-]+\.[\p{L}\p{N}-]*[\p{L}\p{N}])/iu;
/** A domain has at most 253 characters. */
const MOST_DOMAIN = 300;
const MAIL = /[a-z0-9][a-z0-9.+_-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z0-9-]{0,62}[a-z0-9](?![\w@/-])/gi;

/** True for a text that may hold an address: most texts do not. */
export function mayHoldAddress(text: string): boolean {
  return text.includes("://") || text.includes("@") || text.includes("www.");
}

/**
 * The addresses that GFM makes links of, `https://…`, `www.…` and mail addresses, in their order. One that begins the
 * text counts where `isStart` says that nothing stands before it.
 */
export function bareAddresses(text: string, isStart: boolean): readonly BareAddress[] {
  if (!mayHoldAddress(text)) return [];
  const found = [...webAddresses(text, isStart)];
  if (!text.includes("@")) return found;
  const all: BareAddress[] = [];
  let at = 0;
  // Each piece between web addresses is read by itself, as it will be once these are links.
  for (const url of [...found, undefined]) {
    const piece = text.slice(at, url?.start);
    const isPieceStart = at === 0 ? isStart : /[\s(]$/.test(text.charAt(at - 1));
    for (const mail of mailAddresses(piece, isPieceStart)) {
      all.push({ ...mail, start: mail.start + at, end: mail.end + at });
    }
    if (url === undefined) break;
    all.push(url);
    at = url.end;
  }
  return all;
}

function* mailAddresses(text: string, isStart: boolean): Generator<BareAddress> {
  for (const { index, 0: mail } of text.matchAll(MAIL)) {
    const isOutside = index === 0 ? isStart : !/[\w.!#$%&'*+/=?^`{|}~-]/.test(text.charAt(index - 1));
    if (isOutside || isFree(text, index, isStart)) {
      yield { start: index, end: index + mail.length, href: `mailto:${mail}` };
    }
  }
}

function* webAddresses(text: string, isStart: boolean): Generator<BareAddress> {
  URL_START.lastIndex = 0;
  for (let match = URL_START.exec(text); match; match = URL_START.exec(text)) {
    const start = match.index;
    const hasScheme = match[0].endsWith("/");
    // Only then is the end looked for: a word may hold very many beginnings.
    if (!(hasScheme ? beginsAddress(text, start) : isFree(text, start, isStart) && hasDomain(text, start))) continue;
    const end = start + addressLength(text.slice(start, wordEnd(text, start)));
    const url = text.slice(start, end);
    URL_START.lastIndex = end;
    yield { start, end, href: hasScheme ? url : `http://${url}` };
  }
}

/** True where an address with a scheme begins at this index. */
export function beginsAddress(text: string, start: number): boolean {
  return isOutsideWord(text, start) && hasDomain(text, start);
}

const hasDomain = (text: string, start: number): boolean => DOMAIN.test(text.slice(start, start + MOST_DOMAIN));

const isOutsideWord = (text: string, index: number): boolean => !/[a-z]/i.test(text.charAt(index - 1));

// An address without a scheme follows a space or one of these signs.
function isFree(text: string, index: number, isStart: boolean): boolean {
  return index === 0 ? isStart : " \t(*_~".includes(text.charAt(index - 1));
}

const END = /[\s<]/g;

function wordEnd(text: string, start: number): number {
  END.lastIndex = start;
  return END.test(text) ? END.lastIndex - 1 : text.length;
}

/** The length of the address that a word begins with: without punctuation at the end and brackets opened before it. */
export function addressLength(word: string): number {
  let end = word.length;
  let open = 0;
  for (const sign of word) open += sign === "(" ? 1 : sign === ")" ? -1 : 0;
  for (; end > 0; end--) {
    const last = word.charAt(end - 1);
    if (last === ")" && open < 0) open++;
    else if (last === ";") {
      const entity = /&[a-z0-9]{1,31};$/i.exec(word.slice(Math.max(0, end - 33), end))?.[0].length;
      if (entity !== undefined) end -= entity - 1;
    } else if (!"?!.,:*_~'\"".includes(last)) break;
  }
  return end;
}
