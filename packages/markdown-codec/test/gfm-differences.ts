import { differences as commonmark } from "./commonmark-differences.ts";
import type { Differences } from "./specification.ts";

/** The examples of GFM that differ for a reason that CommonMark's do, too. */
const sharedReasons: Record<string, readonly number[]> = {
  rawHtml: [
    118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140,
    141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 170, 288, 289,
    317, 327, 354, 484, 485, 486, 501, 504, 533, 545, 636, 637, 638, 639, 640, 646, 648, 651, 652, 653, 654, 655, 657,
    667, 668,
  ],
  looseness: [31, 79, 256, 278, 286, 287, 291, 293, 294, 295, 298, 299, 300, 301, 306],
  nestedEmphasis: [378, 382, 398, 416, 417, 418, 426, 427, 428, 434, 435, 436, 441, 470, 472, 473, 474, 475, 477],
  emptyBlocks: [187, 217, 218],
  foreignScheme: [607, 608, 610],
  lineFeedEntity: [335],
  frontMatter: [68],
  wikiLinks: [557, 568, 599],
  bareAddresses: [611, 615, 617, 620, 621],
  linesInTitle: [165],
};

/** Why the HTML of some examples of GFM 0.29 is not the specification's, and which examples. */
export const differences: Differences = {
  ...Object.fromEntries(
    Object.entries(sharedReasons).map(([name, examples]) => [
      name,
      { reason: commonmark[name]?.reason ?? "", examples },
    ]),
  ),
  longRow: {
    reason: "A table with a row longer than its head is kept as it is written: GFM leaves out the cells beyond.",
    examples: [204],
  },
  classOfTasks: {
    reason: "A list of tasks has a class.",
    examples: [279, 280],
  },
  oneTilde: {
    reason: "One tilde is subscript; GFM reads strikethrough.",
    examples: [491],
  },
  threeTildes: {
    reason: "Of three tildes two are strikethrough, as markdown-it reads them; the third is text.",
    examples: [493],
  },
  schemesOfMail: {
    reason: "Of an address after `mailto:` or `xmpp:` only the mail address is a link.",
    examples: [633, 634, 635],
  },
  newerComments: {
    reason: "Comments are those of CommonMark 0.31, which is newer.",
    examples: [649, 650],
  },
};
