import { readFileSync } from "node:fs";
import { page } from "./page.ts";
import { type Peer, peers, tokenize } from "./peers.ts";
import { survivalTable } from "./survival.ts";

const sizes = [1_000, 10_000, 100_000, 1_000_000];
const names: Record<number, string> = { 1000: "1 kB", 10000: "10 kB", 100000: "100 kB", 1000000: "1 MB" };

/** Milliseconds of processor time that this thread has used: other work on the machine does not count. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The clock of processor time ticks every few milliseconds: a sample is as many calls as fill this. */
const sampleMs = 80;

/** Work that is timed: a sample is `calls` calls, and a call of more than three seconds is made once. */
interface Timed {
  work: () => unknown;
  calls: number;
  samples: number[];
}

/** Warms the work up until it has filled a sample; one slow call is the only one. */
function warmedUp(work: () => unknown): Timed {
  const start = threadMs();
  let calls = 0;
  while (threadMs() - start < sampleMs) {
    work();
    calls += 1;
  }
  const first = (threadMs() - start) / calls;
  return { work, calls, samples: first > 3_000 ? [first] : [] };
}

function median(samples: number[]): number {
  return samples.sort((one, other) => one - other)[Math.floor(samples.length / 2)] ?? Number.NaN;
}

/** The median milliseconds of one call of each work. Their samples take turns: the machine's load touches all alike. */
function mediansMs(works: (() => unknown)[], budgetMs = 6_000): number[] {
  const timed = works.map(warmedUp);
  const quick = timed.filter(({ samples }) => samples.length === 0);
  const until = threadMs() + budgetMs;
  for (let round = 0; round < 3 || threadMs() < until; round += 1) {
    for (const { work, calls, samples } of quick) {
      const start = threadMs();
      for (let call = 0; call < calls; call += 1) work();
      samples.push((threadMs() - start) / calls);
    }
  }
  return timed.map(({ samples }) => median(samples));
}

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

function versionOf(name: string): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8"),
  );
  return typeof manifest === "object" && manifest && "version" in manifest ? String(manifest.version) : "?";
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

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
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
const versions = ["markdown-it", "prosemirror-markdown", "remark-parse", "remark-gfm", "@tiptap/markdown"];
console.log(`Node ${process.versions.node}; ${versions.map((name) => `${name} ${versionOf(name)}`).join(", ")}.`);
console.log(
  "Medians of processor time; the tokenizer is markdown-it's, timed in turns with each codec in the same process.\n",
);
console.log(table(rows));
console.log(`\n${flatness(rows)}`);
if (chosen.length === peers.length) {
  console.log("\nWhat is the same document after one pass through Markdown:\n");
  console.log(survivalTable());
}
