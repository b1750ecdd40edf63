import { pageOf, renderers } from "@kb/testing/renderers";
import { parseMarkdown, serializeMarkdown } from "../src/index.ts";
import type { RealFile } from "./corpus.ts";

/** How many files one renderer shows alike before and after one pass through this package. */
export interface RenderingCount {
  readonly renderer: string;
  readonly files: number;
  /** Files that the renderer itself reads against CommonMark: it takes a list for text, or ours. */
  readonly leftOut: number;
  readonly different: readonly string[];
}

/** Renders files before and after one pass. */
export function countRenderings(files: readonly RealFile[]): readonly RenderingCount[] {
  const passes = files.map(({ path, text }) => ({
    path,
    before: text,
    after: serializeMarkdown(parseMarkdown(text)),
  }));
  return renderers.map((renderer) => {
    const compared = passes.filter(({ before, after }) => !renderer.mistakes(before) && !renderer.mistakes(after));
    const different = compared.filter(({ before, after }) => pageOf(renderer, before) !== pageOf(renderer, after));
    return {
      renderer: renderer.name,
      files: compared.length,
      leftOut: passes.length - compared.length,
      different: different.map(({ path }) => path),
    };
  });
}
