import { isolated } from "../../messages/isolated.ts";

/** Sentences for the codes of faults of formulas, with the names of their values in braces. */
export type FaultWords = Readonly<Record<string, string>>;

type Values = Readonly<Record<string, unknown>>;

/** Returns the reason why a formula is not shown in the words of a language; in English where they have none for its code. */
export function faultInWords(english: string, code: string | undefined, values: Values, words: FaultWords): string {
  const sentence = code !== undefined && Object.hasOwn(words, code) ? words[code] : undefined;
  if (sentence === undefined) return english;
  const place = "position" in values ? words.position : undefined;
  return [sentence, place]
    .filter((part) => part !== undefined)
    .join(" ")
    .replace(/\{(\w+)\}/g, (_whole, name: string) => isolated(String(values[name] ?? "")));
}

/** The reason of a fault as the codec writes it. All text is escaped, so no text of a document looks like this. */
const reason =
  /(<small class="math-fault" dir="auto") data-fault="([a-z_]+)" data-values="([^"<>]*)">(\(?)([^<>]*?)(\)?)(?=<\/small>)/g;

/** Returns the HTML of a document in which the faults of formulas are in the words of a language. */
export function withFaultWords(html: string, words: FaultWords): string {
  if (Object.keys(words).length === 0) return html;
  return html.replace(
    reason,
    (_whole, start: string, code: string, values: string, before: string, english: string, after: string) => {
      const said = faultInWords(unescaped(english), code, readValues(unescaped(values)), words);
      return `${start}>${before}${escaped(said)}${after}`;
    },
  );
}

function readValues(json: string): Values {
  const value: unknown = JSON.parse(json);
  return isValues(value) ? value : {};
}

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;

const entities: readonly (readonly [sign: string, entity: string])[] = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
];
const escaped = (text: string): string => entities.reduce((all, [sign, entity]) => all.replaceAll(sign, entity), text);
/** The other way round, and `&` last. */
const unescaped = (text: string): string =>
  entities.reduceRight((all, [sign, entity]) => all.replaceAll(entity, sign), text);
