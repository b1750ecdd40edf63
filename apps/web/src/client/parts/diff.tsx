import type { ReactElement } from "react";
import { diffLines } from "../reading/diff-lines.ts";

type DiffProps = {
  /** The hunks of a unified diff. */
  readonly diff: string;
  readonly label: string;
};

/** The lines that differ between two texts, with some lines around them. */
export function Diff({ diff, label }: DiffProps): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard.
    <section className="diff" tabIndex={0} aria-label={label}>
      {diffLines(diff).map(({ kind, text }, index) => {
        const Part = kind === "added" ? "ins" : kind === "removed" ? "del" : "span";
        return (
          <Part key={index} dir="auto">
            {text}
          </Part>
        );
      })}
    </section>
  );
}
