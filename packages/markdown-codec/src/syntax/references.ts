import type { StateCore } from "markdown-it";
import { environmentOf } from "./environment.ts";

/** A definition of a link, as markdown-it keeps it. */
interface Definition {
  readonly href: string;
  readonly title: string;
}

/** In strict mode: from here on a definition of a link that is read counts as used. */
export function watchReferences(state: StateCore): void {
  const { unused } = environmentOf(state);
  if (unused === undefined) return;
  const definitions: { [label: string]: Definition } = state.env.references ?? {};
  for (const [label, { href, title }] of Object.entries(definitions)) {
    unused.add(label);
    definitions[label] = {
      title,
      get href(): string {
        unused.delete(label);
        return href;
      },
    };
  }
}
