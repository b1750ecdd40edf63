/** Two expressions that a condition makes equal, as PostgreSQL prints them. */
export type Equation = readonly [string, string];

/** Returns the equations that hold for every row of a printed condition: those of each part of an AND, and those of all parts of an OR. */
export function equationsOf(condition: string): Equation[] {
  const inner = withoutParentheses(condition);
  const required = splitOutside(inner, " AND ");
  if (required.length > 1) return required.flatMap(equationsOf);
  const [first = [], ...others] = splitOutside(inner, " OR ").map((part) =>
    part === inner ? equationOf(part) : equationsOf(part),
  );
  return first.filter(([left, right]) =>
    others.every((some) => some.some((one) => one[0] === left && one[1] === right)),
  );
}

function equationOf(part: string): Equation[] {
  const sides = splitOutside(part, " = ");
  const [left, right] = sides.map(withoutParentheses);
  if (sides.length !== 2 || left === undefined || right === undefined || /^(NOT|ANY|ALL) /.test(left)) return [];
  return /^(ANY|ALL) /.test(right) ? [] : [[left, right]];
}

function withoutParentheses(text: string): string {
  return text.startsWith("(") && endOfGroup(text, 0) === text.length - 1 ? withoutParentheses(text.slice(1, -1)) : text;
}

/** Returns the parts of a text between the places of `separator` that are in no parentheses and no quotes. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text.startsWith(separator, at)) {
      parts.push(text.slice(start, at));
      start = at + separator.length;
      at = start;
    }
    at = endOfGroup(text, at);
  }
  return [...parts, text.slice(start)];
}

/** Returns the end of the parentheses or quotes that begin at `start`; `start` if none begin there. */
export function endOfGroup(text: string, start: number): number {
  const first = text[start];
  if (first === "'" || first === '"') return endOr(text, text.indexOf(first, start + 1));
  if (first !== "(") return start;
  let at = start + 1;
  while (at < text.length && text[at] !== ")") at = endOfGroup(text, at) + 1;
  return at;
}

const endOr = (text: string, found: number): number => (found === -1 ? text.length : found);
