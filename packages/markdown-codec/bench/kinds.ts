import { body, type RealFile, realFiles, spread } from "../test/corpus.ts";
import { page } from "./page.ts";

/** Pages of one kind, without their front matter. */
export interface Kind {
  name: string;
  texts: string[];
}

/** From this share of Chinese, Japanese and Korean characters on, a page is in one of these languages; code is not. */
const cjkFrom = 0.1;
/** From this share of code and tables on, a page is one of an API. */
const codeFrom = 0.3;

/**
 * The kinds of pages: one made of all that a team writes, and real files, at most `most` of each kind, evenly spread.
 * A file is CJK or an API page by its share of such characters, else a wiki page.
 */
export function kindsOfPages(most: number): Kind[] {
  const files = realFiles().map(({ path, text }) => ({ path, text: body(text) }));
  const isCjk = ({ text }: RealFile): boolean => shareOfCjk(text) >= cjkFrom;
  const isApi = ({ text }: RealFile): boolean => shareOfCode(text) >= codeFrom;
  const others = files.filter((file) => !isCjk(file));
  const textsOf = (kind: RealFile[]): string[] => spread(kind, most).map(({ text }) => text);
  return [
    { name: "a made wiki page", texts: [page(10_000)] },
    { name: "wiki pages", texts: textsOf(others.filter((file) => !isApi(file))) },
    { name: "API pages", texts: textsOf(others.filter(isApi)) },
    { name: "CJK pages", texts: textsOf(files.filter(isCjk)) },
  ];
}

const cjkCharacter = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/gu;

function shareOfCjk(text: string): number {
  return (text.match(cjkCharacter)?.length ?? 0) / Math.max(1, text.length);
}

/** The share of the characters that stand in fenced code, in code spans or in the rows of tables. */
function shareOfCode(text: string): number {
  let fence = "";
  let code = 0;
  for (const line of text.split("\n").map((indented) => indented.trim())) {
    const opened = /^(?:`{3,}|~{3,})/.exec(line)?.[0] ?? "";
    if (fence !== "" || opened !== "" || line.startsWith("|")) code += line.length;
    else code += (line.match(/`[^`]+`/g) ?? []).join("").length;
    if (fence === "") fence = opened;
    else if (line.startsWith(fence)) fence = "";
  }
  return code / Math.max(1, text.length);
}
