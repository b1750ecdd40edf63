/** The kind of a file, as its first bytes show. */
export type FileKind = {
  readonly contentType: string;
  /** Whether browsers show it as a picture. */
  readonly isPicture: boolean;
};

/** The first bytes of the pictures that every browser shows. */
const pictures: readonly (readonly [contentType: string, begins: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
  ["image/avif", /^.{4}ftypavi[fs]/s],
];

const headBytes = 16;

/**
 * Returns what a file is. Systems take the type from the end of its name, which may be wrong; null for a file that says that it is
 * such a picture and is none.
 */
export async function kindOfFile(file: File): Promise<FileKind | null> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  const found = pictures.find(([, begins]) => begins.test(head));
  if (found !== undefined) return { contentType: found[0], isPicture: true };
  if (pictures.some(([contentType]) => contentType === file.type)) return null;
  return { contentType: file.type || "application/octet-stream", isPicture: false };
}
