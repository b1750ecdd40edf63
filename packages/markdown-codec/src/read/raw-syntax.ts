import type { RawSyntax } from "../normal/report.ts";
import { Reader } from "../read.ts";
import { extension } from "../syntax/extension.ts";
import type { TokenizerFor } from "../syntax/tokenizers.ts";
import type { NodeJSON } from "../types.ts";

const isRaw = (node: NodeJSON | undefined, kind: string, source: string): boolean =>
  node?.type === "rawInline" && node.attrs?.kind === kind && node.attrs.source === source;

/** Reads the source of a raw construct by itself, and says what it is. */
export function rawSyntaxWith(tokenizerFor: TokenizerFor): RawSyntax {
  const newReader = (): Reader => new Reader({ tokenizer: tokenizerFor() });
  return {
    readBlock(source) {
      const [node, ...others] = newReader().read(source).content;
      return others.length === 0 ? node : undefined;
    },
    isInline(kind, source) {
      if (extension()?.isMarker(kind, source)) return true;
      const [node, ...others] = newReader().readLine(source);
      return others.length === 0 && isRaw(node, kind, source);
    },
  };
}
