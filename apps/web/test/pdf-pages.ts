import { inflateSync } from "node:zlib";

/** Reads the text of each page of a PDF that Chromium wrote, in the order of drawing and without white space. */
export function textOfPdfPages(bytes: Buffer): string[] {
  const objects = readObjects(bytes.toString("latin1"));
  const fonts = new Map<string, ReadonlyMap<string, string>>();
  const fontOf = (reference: string): ReadonlyMap<string, string> => {
    const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(reference)?.head ?? "")?.[1] ?? "";
    const font = fonts.get(reference) ?? readCharacters(objects.get(map)?.body ?? "");
    fonts.set(reference, font);
    return font;
  };
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head));
  return pages.map(({ head }) => {
    const named = [...head.matchAll(/\/(F\d+) (\d+) 0 R/g)];
    const font = new Map(named.map(([, name = "", reference = ""]) => [name, fontOf(reference)]));
    const contents = /\/Contents (\d+) 0 R/.exec(head)?.[1] ?? "";
    const text = readText(objects.get(contents)?.body ?? "", font).replaceAll(/\s/g, "");
    // A font may draw "ff" in an id as one ligature.
    return text.replaceAll(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize("NFKC"));
  });
}

type PdfObject = { readonly head: string; readonly body: string };

function readObjects(file: string): Map<string, PdfObject> {
  const objects = file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g);
  return new Map(
    [...objects].map(([, number = "", text = ""]) => {
      const [head = "", stream] = text.split(/ ?stream\r?\n/, 2);
      return [number, { head, body: stream !== undefined && isText(head) ? inflated(stream) : "" }];
    }),
  );
}

/** Only drawings and tables of characters are read: their heads have nothing but the filter and the length. */
const isText = (head: string): boolean => /^<<\/Filter \/FlateDecode\s+\/Length \d+>>$/.test(head.trim());

const inflated = (stream: string): string =>
  inflateSync(Buffer.from(stream.replace(/\r?\nendstream$/, ""), "latin1")).toString("latin1");

/** Reads which characters the codes of a font mean. */
function readCharacters(table: string): ReadonlyMap<string, string> {
  const characters = new Map<string, string>();
  for (const [, lines = ""] of table.matchAll(/beginbfchar\n([\s\S]*?)endbfchar/g)) {
    for (const [, code = "", unicode = ""] of lines.matchAll(/<(\w+)> <(\w+)>/g)) characters.set(code, textOf(unicode));
  }
  for (const [, lines = ""] of table.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g)) {
    for (const [, first = "", last = "", unicode = ""] of lines.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      for (let code = Number.parseInt(first, 16); code <= Number.parseInt(last, 16); code += 1) {
        const character = Number.parseInt(unicode, 16) + code - Number.parseInt(first, 16);
        characters.set(code.toString(16).toUpperCase().padStart(4, "0"), String.fromCodePoint(character));
      }
    }
  }
  return characters;
}

/** Decodes UTF-16 in hexadecimal digits. */
const textOf = (hex: string): string =>
  String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)));

function readText(drawing: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let font: ReadonlyMap<string, string> | undefined;
  let text = "";
  for (const [, name, codes] of drawing.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9A-F]+)> Tj/g)) {
    if (name !== undefined) font = fonts.get(name);
    else text += (codes?.match(/.{4}/g) ?? []).map((code) => font?.get(code) ?? "").join("");
  }
  return text;
}
