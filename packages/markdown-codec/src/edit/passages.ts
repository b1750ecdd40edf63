import { wordsOf } from "../words.ts";

const MOST_PASSAGES = 3;
const PASSAGE_LENGTH = 160;
// More words say no more about where a text may come from.
const MOST_WORDS = 200;

/** Returns the lines of a Markdown text that share most words with a text, the rarer ones counting more, at most 3. */
export function nearestPassages(markdown: string, text: string): readonly string[] {
  const wanted = new Set(significantWords(text).slice(0, MOST_WORDS));
  const lines = markdown.split("\n");
  const found = lines.map((line) => new Set(significantWords(line).filter((word) => wanted.has(word))));
  const counts = new Map<string, number>();
  for (const words of found) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const scores = found.map((words) => [...words].reduce((sum, word) => sum + 1 / (counts.get(word) ?? 1), 0));
  const best = best3(scores).filter((index) => (scores[index] ?? 0) > 0);
  return best.map((index) => cut(lines[index] ?? "", found[index] ?? new Set(), counts));
}

function significantWords(text: string): string[] {
  return wordsOf(text.toLowerCase()).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function best3(scores: readonly number[]): readonly number[] {
  const best: number[] = [];
  scores.forEach((score, index) => {
    const place = best.findIndex((other) => score > (scores[other] ?? 0));
    best.splice(place === -1 ? best.length : place, 0, index);
    best.length = Math.min(best.length, MOST_PASSAGES);
  });
  return best;
}

// Around the rarest word that the line shares.
function cut(line: string, words: ReadonlySet<string>, counts: ReadonlyMap<string, number>): string {
  const [rarest = ""] = [...words].sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
  return excerpt(line, Math.max(0, line.toLowerCase().indexOf(rarest)), rarest.length);
}

/** Returns a part of the text around some characters, on one line. */
export function excerpt(text: string, start: number, length: number): string {
  const margin = Math.max(0, PASSAGE_LENGTH - length) >> 1;
  const from = Math.max(0, start - margin);
  const to = Math.min(text.length, start + Math.min(length, PASSAGE_LENGTH) + margin);
  const part = text
    .slice(from, to)
    .trim()
    .replace(/\s*\n\s*/g, " ⏎ ")
    .toWellFormed();
  return `${from > 0 ? "…" : ""}${part}${to < text.length ? "…" : ""}`;
}
