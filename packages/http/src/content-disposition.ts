/**
 * Returns `Content-Disposition` for an untrusted file name: an ASCII form for old clients and the whole name as in
 * RFC 8187.
 */
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(/[!'()*]/g, percent);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
