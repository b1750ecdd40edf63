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

/**
 * The median milliseconds of one call, of samples that fill `budgetMs`, after a warm-up; a call of more than three
 * seconds is made once.
 */
function medianMs(work: () => unknown, budgetMs = 2_000): number {
  const warmUp = threadMs();
  let calls = 0;
  while (threadMs() - warmUp < sampleMs) {
    work();
    calls += 1;
  }
  const first = (threadMs() - warmUp) / calls;
  if (first > 3_000) return first;
  const samples: number[] = [];
  for (const until = threadMs() + budgetMs; samples.length < 3 || threadMs() < until; ) {
    const start = threadMs();
    for (let call = 0; call < calls; call += 1) work();
    samples.push((threadMs() - start) / calls);
  }
  samples.sort((one, other) => one - other);
  return samples[Math.floor(samples.length / 2)] ?? Number.NaN;
}

interface Row {
  peer: string;
  size: number;
  parse: number;
  serialize: number;
  tokenizer: number;
}

/** The tokenizer is timed before and after each peer, so that a change of the machine's load touches both alike. */
function measure(peer: Peer, size: number): Row {
  const text = page(size);
  const before = medianMs(() => tokenize(text), 1_000);
  const parse = medianMs(() => peer.parse(text));
  const serialize = medianMs(peer.serialize(text));
  const after = medianMs(() => tokenize(text), 1_000);
  return { peer: peer.name, size, parse, serialize, tokenizer: Math.min(before, after) };
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
  const lines = ["| codec | parse, 1 MB against 10 kB per byte | serialize |", "| --- | ---: | ---: |"];
  const tokenizers = [10_000, 1_000_000].map((size) =>
    Math.min(...rows.filter((row) => row.size === size).map((row) => row.tokenizer)),
  );
  const [small = Number.NaN, large = Number.NaN] = tokenizers;
  lines.push(`| the tokenizer alone | ${figure(large / small / 100)} × | |`);
  for (const { name } of peers) {
    const small = rows.find((row) => row.peer === name && row.size === 10_000);
    const large = rows.find((row) => row.peer === name && row.size === 1_000_000);
    if (!small || !large) continue;
    lines.push(
      `| ${name} | ${figure(large.parse / small.parse / 100)} × | ${figure(large.serialize / small.serialize / 100)} × |`,
    );
  }
  return lines.join("\n");
}

const rows = peers.flatMap((peer) => sizes.map((size) => measure(peer, size)));
const versions = ["markdown-it", "prosemirror-markdown", "remark-parse", "remark-gfm", "@tiptap/markdown"];
console.log(`Node ${process.versions.node}; ${versions.map((name) => `${name} ${versionOf(name)}`).join(", ")}.`);
console.log(
  "Medians of processor time; the tokenizer is markdown-it's, timed beside each codec in the same process.\n",
);
console.log(table(rows));
console.log(`\n${flatness(rows)}`);
console.log("\nWhat is the same document after one pass through Markdown:\n");
console.log(survivalTable());
