import { chainedFootnotes, markdownKinds, prose, rewrittenLines } from "./markdown.ts";
import { json, longestJson, longestMarkdown, type Subjects, type WorstInput } from "./worst-input.ts";

/** Returns the worst requests for the operations that create, change and read one document. */
export function documentInputs(subjects: Subjects): WorstInput[] {
  return [
    ...creations(subjects),
    ...updates(subjects),
    ...edits(subjects),
    ...batches(subjects),
    undo(subjects),
    ...reads(subjects),
    ...treeInputs(subjects),
  ];
}

function creations({ collectionId }: Subjects): WorstInput[] {
  const operation = "documents.create";
  const create = (title: string, fields: () => object, isOnlyLong = false): WorstInput => ({
    operation,
    title,
    isOnlyLong,
    body: json(() => ({ collectionId, ...fields() })),
  });
  const contents = Object.entries(editorDocuments).map(([title, content]) =>
    create(title, () => ({ content: { type: "doc", content: content() } })),
  );
  return [
    ...markdownKinds.map(({ name, make, isOnlyLong }) =>
      create(`Markdown: ${name}`, () => ({ text: make(longestMarkdown) }), isOnlyLong),
    ),
    ...contents,
    create("1.7 million tags", () => ({ tags: Array.from({ length: 1_200_000 }, () => "a") })),
    create("a tag of 1.6 million characters", () => ({ tags: ["a".repeat(1_600_000)] })),
    create("50 tags that normalization lengthens", () => ({
      tags: Array.from({ length: 50 }, (_, index) => `${index}${"\ufdfa".repeat(900)}`),
    })),
    create("a title of 4.9 million spaces", () => ({ title: " ".repeat(longestJson - 200) })),
    create("an image of 4.9 MB in the text", () => ({ text: `![a](data:image/png;base64,${"A".repeat(1_400_000)})` })),
  ];
}

/** Batches of live editing that are read before the log is looked for. */
function batches({ overlappingId: documentId }: Subjects): WorstInput[] {
  const id = "00000000-0000-7000-8000-000000000000";
  const push = (title: string, content: () => object): WorstInput => ({
    operation: "live.push",
    title,
    body: json(() => ({
      documentId,
      lineage: id,
      clientId: id,
      seq: 1,
      base: 0,
      schema: 1,
      steps: [{ stepType: "replace", from: 1, to: 1, slice: { content: [content()] } }],
    })),
  });
  return [
    push("a step with 990,000 backslashes", () => text("\\".repeat(990_000))),
    push("a step with 300,000 NUL characters", () => text("\0".repeat(300_000))),
    push("a step with 1,000 nested quotes", () => nestedQuotes(1_000)),
  ];
}

/** Quotes inside each other. A tree deeper than some 1,000 levels would exhaust the stack of the client that writes it. */
function nestedQuotes(depth: number): object {
  let node: object = { type: "paragraph" };
  for (let level = 0; level < depth; level += 1) node = { type: "blockquote", content: [node] };
  return node;
}

const paragraph = (...content: object[]): object => ({ type: "paragraph", content });
const text = (value: string, ...marks: string[]): object => ({
  type: "text",
  text: value,
  ...(marks.length === 0 ? {} : { marks: marks.map((type) => ({ type })) }),
});

const editorDocuments: Readonly<Record<string, () => object[]>> = {
  "editor JSON: 120,000 empty paragraphs": () => Array.from({ length: 120_000 }, () => ({ type: "paragraph" })),
  "editor JSON: one text of 4.9 MB": () => [paragraph(text("a".repeat(longestJson - 300)))],
  "editor JSON: 60,000 texts of alternating marks": () => [
    paragraph(...Array.from({ length: 60_000 }, (_, n) => (n % 2 === 0 ? text("a", "bold") : text("b", "italic")))),
  ],
  "editor JSON: 50,000 unknown nodes": () => Array.from({ length: 50_000 }, (_, n) => ({ type: `unknown-${n}` })),
  "editor JSON: 60,000 quotes and a nest of 1,000": () => {
    return [
      nestedQuotes(1_000),
      ...Array.from({ length: 60_000 }, () => ({ type: "blockquote", content: [{ type: "paragraph" }] })),
    ];
  },
  "editor JSON: a heading with 4.9 MB of attributes": () => [
    { type: "heading", attrs: { level: 1, id: "a".repeat(longestJson - 300) }, content: [text("a")] },
  ],
};

function updates({ largeDocumentId, rewrittenId, rulesId }: Subjects): WorstInput[] {
  const operation = "documents.update";
  const update = (title: string, id: string, fields: () => object): WorstInput => ({
    operation,
    title,
    path: { id },
    body: json(fields),
  });
  return [
    update("A: a stale revision of a text rewritten in 400 places", rewrittenId, () => ({
      title: "Stale",
      expectedRevision: 1,
    })),
    update("the longest text, rewritten in every paragraph", largeDocumentId, () => ({
      text: rewrittenLines(longestMarkdown, "other"),
    })),
    update("the longest text as it already is", largeDocumentId, () => ({
      text: rewrittenLines(longestMarkdown, "other"),
    })),
    update("new tags for the longest text", largeDocumentId, () => ({
      tags: Array.from({ length: 50 }, (_, n) => `tag-${n}`),
    })),
    update("a new title for 190,000 rules", rulesId, () => ({ title: "Renamed" })),
    update("new tags for 190,000 rules", rulesId, () => ({ tags: ["renamed"] })),
    update("a stale revision of the longest text", largeDocumentId, () => ({ title: "Stale", expectedRevision: 1 })),
  ];
}

function edits({ largeDocumentId, footnotesId, overlappingId, headingsId, rewrittenId }: Subjects): WorstInput[] {
  const edit = (title: string, id: string, fields: () => object, isOnlyLong = false): WorstInput => ({
    operation: "documents.edit",
    title,
    path: { id },
    isOnlyLong,
    body: json(fields),
  });
  const atHeadings = markdownKinds.map(({ name, make, isOnlyLong }) =>
    edit(
      `insert after a heading, Markdown: ${name}`,
      headingsId,
      () => ({ op: "insert_after_heading", heading: "heading 7", markdown: make(400_000), dryRun: true }),
      isOnlyLong || name !== "every delimiter",
    ),
  );
  return [
    edit("A: dry run that rewrites 400 kB in 400 places", rewrittenId, () => ({
      op: "replace_section",
      heading: "Rewritten",
      markdown: rewrittenLines(400_000, "third"),
      dryRun: true,
    })),
    edit("B: replace the section of 15,000 chained footnotes", footnotesId, () => ({
      op: "replace_section",
      heading: "H",
      markdown: chainedFootnotes(15_000),
      dryRun: true,
    })),
    edit("B: replace a section that 15,000 footnotes chain from", footnotesId, () => ({
      op: "replace_section",
      heading: "H",
      markdown: "b",
      dryRun: true,
    })),
    edit("D: a pattern of 100 kB that overlaps itself", overlappingId, () => ({
      op: "replace_text",
      oldText: "a".repeat(100_000),
      newText: "b",
    })),
    edit("D: a pattern that almost occurs everywhere", overlappingId, () => ({
      op: "replace_text",
      oldText: `b${"a".repeat(100_000)}`,
      newText: "b",
    })),
    edit("a pattern of one letter in the longest text", largeDocumentId, () => ({
      op: "replace_text",
      oldText: "e",
      newText: "b",
    })),
    edit("a pattern of 1.4 MB that is not there", largeDocumentId, () => ({
      op: "replace_text",
      oldText: `${prose(1_400_000)}!`,
      newText: "b",
    })),
    edit("append to the longest text", largeDocumentId, () => ({ op: "append", markdown: "a" })),
    edit("append the longest text", headingsId, () => ({
      op: "append",
      markdown: prose(longestMarkdown),
      dryRun: true,
    })),
    edit("a heading that none of 20,000 is", headingsId, () => ({
      op: "insert_after_heading",
      heading: "x".repeat(1_000),
      markdown: "a",
    })),
    ...atHeadings,
  ];
}

/** Compares two pairs of long texts, and carries hundreds of places over hundreds of others. */
const undo = ({ rewrittenId }: Subjects): WorstInput => ({
  operation: "documents.revisions.undo",
  title: "a text rewritten in 400 places",
  path: { id: rewrittenId, revision: "2" },
  body: json(() => ({})),
});

function reads({ largeDocumentId, headingsId }: Subjects): WorstInput[] {
  return [largeDocumentId, headingsId].flatMap((id) => [
    { operation: "documents.view", title: "a long text", body: json(() => ({ id })) },
    {
      operation: "documents.get",
      title: "every form of a long text",
      path: { id },
      query: "format=markdown&include=content",
    },
    { operation: "documents.revisions.list", title: "the longest page", path: { id }, query: "limit=100" },
    { operation: "documents.revisions.get", title: "a long text", path: { id, revision: "1" } },
    { operation: "documents.revisions.view", title: "a long text", body: json(() => ({ id, revision: 1 })) },
    {
      operation: "documents.revisions.restore",
      title: "a long text",
      path: { id, revision: "1" },
      body: json(() => ({})),
    },
  ]);
}

/** The verbs that change a document with everything below it, in an order in which each has something to do. */
function treeInputs({ treeRootId, collectionId, treeCollectionId }: Subjects): WorstInput[] {
  const path = { id: treeRootId };
  const body = json(() => ({}));
  const title = "a tree of 4,000 documents";
  const move = (to: string): WorstInput => ({
    operation: "documents.update",
    title: `move ${title}`,
    path,
    body: json(() => ({ collectionId: to })),
  });
  return [
    move(collectionId),
    move(treeCollectionId),
    {
      operation: "documents.tree",
      title: "a level of 4,000 documents",
      body: json(() => ({ collectionId: treeCollectionId, parentId: treeRootId })),
    },
    { operation: "documents.archive", title, path, body },
    { operation: "documents.unarchive", title, path, body },
    { operation: "documents.delete", title, path },
    { operation: "documents.restore", title, path, body },
  ];
}
