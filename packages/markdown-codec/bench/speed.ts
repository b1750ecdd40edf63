import { loadavg } from "node:os";
import { corpusName, realFiles } from "../test/corpus.ts";
import { figure, versionsOf } from "./figures.ts";
import { type Kind, kindsOfPages } from "./kinds.ts";
import { peers, readers, tokenize } from "./peers.ts";
import { mediansMs } from "./timing.ts";

// How fast Markdown is read and written, by kind of page. The arguments are the processor time of each row's turns in ms, and what
// the titles of the tables and rows begin with, for a run of some of them: `node bench/speed.ts 5000 Writing CJK`.
const [budget = "15000", wantedTitle = "", wantedKind = ""] = process.argv.slice(2);
const budgetMs = Number(budget);
/** Real files of each kind: enough to hold every construct, few enough that slow readers get several turns. */
const most = 40;

/** Work under measure: a call handles every text of a kind once. */
interface Competitor {
  name: string;
  prepare: (texts: readonly string[]) => () => unknown;
}

/** A direction: ours has to reach at least `target` times the speed of the competitor named `measure`. */
interface Direction {
  title: string;
  measure: string;
  target: number;
  competitors: Competitor[];
}

const reading = (name: string, parse: (text: string) => unknown): Competitor => ({
  name,
  prepare: (texts) => () => {
    for (const text of texts) parse(text);
  },
});

const ours = "markdown-codec";
const tokenizer = "markdown-it's tokenizer";

const directions: Direction[] = [
  {
    title: "Reading",
    measure: tokenizer,
    target: 0.9,
    competitors: [
      reading(tokenizer, tokenize),
      ...[...peers, ...readers].map(({ name, parse }) => reading(name, parse)),
    ],
  },
  {
    title: "Writing",
    measure: "prosemirror-markdown",
    target: 1,
    competitors: peers.map(({ name, serialize }) => ({
      name,
      prepare: (texts) => {
        const works = texts.map((text) => serialize(text));
        return () => {
          for (const work of works) work();
        };
      },
    })),
  },
];

/** The table of a direction: milliseconds for all pages of a kind, and the speed as a multiple of the measure's. */
function speedTable({ title, measure, target, competitors }: Direction, kinds: readonly Kind[]): string {
  const lines = [
    `| ${title} | pages | kB | ${competitors.map(({ name }) => name).join(" | ")} | target |`,
    `| --- | ---: | ---: |${" ---: |".repeat(competitors.length)} --- |`,
  ];
  for (const { name, texts } of kinds) {
    const medians = mediansMs(
      competitors.map(({ prepare }) => prepare(texts)),
      budgetMs,
    );
    const millisecondsOf = (wanted: string): number =>
      medians[competitors.findIndex((competitor) => competitor.name === wanted)] ?? Number.NaN;
    const cells = medians.map((ms) => `${figure(ms)} ms (${(millisecondsOf(measure) / ms).toFixed(2)} ×)`);
    const speed = millisecondsOf(measure) / millisecondsOf(ours);
    const verdict = `${speed >= target ? "met" : "missed"}: ${speed.toFixed(2)} × of ≥ ${target.toFixed(1)} ×`;
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    lines.push(`| ${name} | ${texts.length} | ${(bytes / 1_000).toFixed(0)} | ${cells.join(" | ")} | ${verdict} |`);
  }
  return lines.join("\n");
}

const load = (): string => loadavg().map(figure).join(", ");
const kinds = kindsOfPages(most).filter(({ name, texts }) => texts.length > 0 && name.startsWith(wantedKind));
console.log(
  versionsOf([
    "markdown-it",
    "prosemirror-markdown",
    "remark-parse",
    "remark-gfm",
    "@tiptap/markdown",
    "marked",
    "commonmark",
  ]),
);
console.log(`Pages of ${corpusName(realFiles().length)}, at most ${most} of a kind. Load at the start: ${load()}.`);
console.log("Medians of processor time, in turns in one process; × is the speed: 2 × takes half the time.\n");
const chosen = directions.filter(({ title }) => title.startsWith(wantedTitle));
for (const direction of chosen) console.log(`${speedTable(direction, kinds)}\n`);
console.log(`Load at the end: ${load()}.`);
