import fc from "fast-check";
import type { Json, MarkOfJson } from "./json.ts";

/**
 * Signs that mean something only where another one stands elsewhere in the line, and the neighbours that decide which of
 * them can be partners: letters of several scripts, punctuation, white space, and characters that readers disagree on.
 */
const signs = [
  ..."$ $ $5 6$ US$3 $$ == == a== ==b 值== 값== C++ ++ * ** _ ~ ~~ ^ \\ ` ! [ ] : &".split(" "),
  ..."a b 1 é 是 값 𠮷 . , ; ! ? ) ( (x) 「 」 。 ， ( (2020) : _ \u1b4e \u1b4f \u1b7f 🙂 → \ufeff \u2028 \u2029 \u3000 \u00a0".split(
    " ",
  ),
  " ",
  " ",
  " ",
  " ",
];
const text = fc
  .array(fc.constantFrom(...signs), { minLength: 1, maxLength: 5, size: "max" })
  .map((parts): Json => ({ type: "text", text: parts.join("") }));

const value = fc.constantFrom("u", "u", "a$b", "US$3", "$", "b$", "$b", "a==b", "是==", "a\\$");
const link = fc
  .tuple(value, fc.oneof(fc.constant(null), value))
  .map(([href, title]): MarkOfJson => ({ type: "link", attrs: { href, title } }));
const mark = fc.constantFrom("bold", "italic", "strike", "underline", "highlight", "subscript", "superscript", "code");

const address = fc
  .constantFrom("http://x.yz", "https://example.org/a", "http://x.yz/$a", "http://x.yz/?a==b")
  .map((href): Json => ({ type: "text", text: href, marks: [{ type: "link", attrs: { href, title: null } }] }));
const node = (type: string, attrs: Record<string, unknown>): Json => ({ type, attrs });
/** Nodes within a line of every type, their attributes with the same signs. */
const atom = fc.oneof(
  fc.constant<Json>({ type: "hardBreak" }),
  fc.constant(node("footnoteReference", { label: "1" })),
  fc.tuple(value, value, value).map(([src, alt, title]) => node("image", { src, alt, title })),
  value.map((label) => node("mention", { id: "u1", label })),
  fc
    .tuple(fc.constantFrom("x", "a\\$b", "==", "x^2"), fc.boolean())
    .map(([latex, display]) => node("inlineMath", { latex, display })),
  fc.constantFrom("[[a]]", "[[a$b]]", "![[是==]]").map((source) => node("wikiLink", { source })),
  fc
    .constantFrom(
      ["html", "<kbd>"],
      ["html", '<a b="$">'],
      ["html", "</kbd>"],
      ["comment", "<!-- $ -->"],
      ["directive", ":x[$]"],
      ["directive", ":x[a]{b}"],
      ["blockId", "^id"],
    )
    .map(([kind, source]) => node("rawInline", { kind, source })),
);

const marked = fc
  .tuple(text, fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.subarray(["bold", "italic"]), fc.tuple(mark)))
  .map(([part, types]): Json => (types.length > 0 ? { ...part, marks: types.map((type) => ({ type })) } : part));

/** Nodes side by side, often below one link. */
const run = fc
  .tuple(
    fc.array(
      fc.oneof({ weight: 5, arbitrary: marked }, { weight: 2, arbitrary: atom }, { weight: 1, arbitrary: address }),
      { minLength: 1, maxLength: 3, size: "max" },
    ),
    fc.option(link, { freq: 3 }),
  )
  .map(([nodes, over]) => (over === null ? nodes : nodes.map((each) => below(over, each))));

function below(over: MarkOfJson, given: Json): Json {
  return { ...given, marks: [over, ...(given.marks ?? []).filter(({ type }) => type !== "link")] };
}

/** Lines that are full of such signs, in text and in attributes. */
export const partnerInlines: fc.Arbitrary<Json[]> = fc
  .array(run, { minLength: 1, maxLength: 4, size: "max" })
  .map((runs) => runs.flat());
