import { cleanLine, cleanUrl } from "../normal/text.ts";
import type { Attrs } from "../types.ts";
import { isSafeAddress } from "../url.ts";

const IMAGE = /^<img((?:\s+(?:src|alt|title)\s*=\s*(?:"[^"]*"|'[^']*'))+)\s*\/?>$/i;
const ATTRIBUTE = /(src|alt|title)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/**
 * The attributes of the image that a tag shows; undefined where the tag says more than an image can hold. `resolve`
 * resolves entities and backslashes.
 */
export function imageOfTag(source: string, resolve: (text: string) => string): Attrs | undefined {
  const [, attributes = ""] = IMAGE.exec(source) ?? [];
  const values = new Map<string, string>();
  for (const [, name = "", double, single] of attributes.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (values.has(key)) return undefined;
    values.set(key, resolve((double ?? single ?? "").replaceAll("\\", "\\\\")));
  }
  const src = cleanUrl(values.get("src") ?? "");
  if (src === "" || !values.get("alt") || !isSafeAddress(src)) return undefined;
  return { src, alt: cleanLine(values.get("alt") ?? "") || null, title: cleanLine(values.get("title") ?? "") || null };
}
