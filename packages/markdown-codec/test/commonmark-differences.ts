import type { Differences } from "./specification.ts";

/** Why the HTML of some examples of CommonMark 0.31.2 is not the specification's, and which examples. */
export const differences: Differences = {
  rawHtml: {
    reason: "HTML is kept and shown as code, but for the marks' own tags: nothing of the author's HTML reaches a page.",
    examples: [
      21, 31, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168,
      169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
      201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536, 613, 614, 615, 616, 617, 623, 625, 626, 627, 628, 629, 630,
      631, 642, 643,
    ],
  },
  looseness: {
    reason: "Whether a list is loose is not part of a document, as in tiptap: it is written tight where it can be.",
    examples: [61, 109, 278, 300, 306, 307, 311, 313, 314, 315, 318, 319, 320, 321, 326],
  },
  nestedEmphasis: {
    reason: "A mark within the same mark says nothing: marks are sets, as in every editor.",
    examples: [369, 373, 389, 407, 408, 409, 417, 418, 419, 425, 426, 427, 432, 461, 463, 464, 465, 466, 468],
  },
  emptyBlocks: {
    reason: "A document or a quote holds at least one block: where Markdown has none, an empty paragraph.",
    examples: [218, 239, 240],
  },
  linkWithoutText: {
    reason:
      "A link without text cannot be stored as a mark: it is shown by its address, and without one it is nothing.",
    examples: [484, 487],
  },
  foreignScheme: {
    reason: "The address is kept in the document, but HTML links only to schemes of a list (`schemes` adds to it).",
    examples: [598, 599, 601],
  },
  lineFeedEntity: {
    reason: "A line feed written as an entity is a line break of the document.",
    examples: [39],
  },
  frontMatter: {
    reason: "What looks like front matter at the very top is kept as that.",
    examples: [98],
  },
  wikiLinks: {
    reason: "Two brackets are a link to a page.",
    examples: [548, 559, 590],
  },
  bareAddresses: {
    reason: "An address in the text is a link, as GFM says.",
    examples: [602, 606, 608, 611, 612],
  },
  linesInTitle: {
    reason: "A title has one line.",
    examples: [196],
  },
};
