import { parseMarkdown } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import type { Node } from "prosemirror-model";

/** The document that the writers of a property run start with: one of each kind of block that they can change. */
export const propertyPage: Node = schema.nodeFromJSON(
  parseMarkdown(`# Title

Some text with **bold** words and a [link](https://example.org).

- one
- two
  - nested

> A quote.

| a | b |
|---|---|
| c | d |

\`\`\`ts
code
\`\`\`

1. first
2. second

Last paragraph.
`),
);
