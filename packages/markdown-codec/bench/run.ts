import { figure, versionsOf } from "./figures.ts";
import { page } from "./page.ts";
import { type Peer, peers, tokenize } from "./peers.ts";
import { survivalTable } from "./survival.ts";
import { mediansMs } from "./timing.ts";

const sizes = [1_000, 10_000, 100_000, 1_000_000];
const names: Record<number, string> = { 1000: "1 kB", 10000: "10 kB", 100000: "100 kB", 1000000: "1 MB" };

interface Row {
  peer: string;
  size: number;
  parse: number;
  serialize: number;
  tokenizer: number;
}

function measure(peer: Peer, size: number): Row {
  const text = page(size);
  const works = [() => tokenize(text), () => peer.parse(text), peer.serialize(text)];
  const [tokenizer = Number.NaN, parse = Number.NaN, serialize = Number.NaN] = mediansMs(works);
  return { peer: peer.name, size, parse, serialize, tokenizer };
}

function table(rows: Row[]): string {
  const lines = [
    "| codec | size | parse ms | × tokenizer | serialize ms | × tokenizer |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
  ];
  for (const row of rows) {
    const cells = [row.parse, row.parse / row.tokenizer, row.serialize, row.serialize / row.tokenizer];
    lines.push(`| ${row.peer} | ${names[row.size]} | ${cells.map((cell) => figure(cell)).join(" | ")} |`);
  }
  return lines.join("\n");
}

/** How much dearer a byte is at 1 MB than at 10 kB: 1 is flat, 100 is quadratic. */
function flatness(rows: Row[]): string {
  const lines = [
    "| codec | parse, 1 MB against 10 kB per byte | serialize | the tokenizer beside it |",
    "| --- | ---: | ---: | ---: |",
  ];
  for (const { name } of peers) {
    const small = rows.find((row) => row.peer === name && row.size === 10_000);
    const large = rows.find((row) => row.peer === name && row.size === 1_000_000);
    if (!small || !large) continue;
    const cells = (["parse", "serialize", "tokenizer"] as const).map((what) => large[what] / small[what] / 100);
    lines.push(`| ${name} | ${cells.map((cell) => `${figure(cell)} ×`).join(" | ")} |`);
  }
  return lines.join("\n");
}

// Measures only one codec when its name is given.
const chosen = peers.filter(({ name }) => !process.argv[2] || name === process.argv[2]);
const rows = chosen.flatMap((peer) => sizes.map((size) => measure(peer, size)));
console.log(versionsOf(["markdown-it", "prosemirror-markdown", "remark-parse", "remark-gfm", "@tiptap/markdown"]));
console.log(
  "Medians of processor time; the tokenizer is markdown-it's, timed in turns with each codec in the same process.\n",
);
console.log(table(rows));
console.log(`\n${flatness(rows)}`);
if (chosen.length === peers.length) {
  console.log("\nWhat is the same document after one pass through Markdown:\n");
  console.log(survivalTable());
}
