import { vocabularyWord } from "./vocabulary.ts";
import { json, type Subjects, type WorstInput } from "./worst-input.ts";

/** Returns the worst requests for lists, search, channels and exports. */
export function listInputs(subjects: Subjects): WorstInput[] {
  return [
    ...lists(subjects),
    ...searches,
    ...searchesOfApp,
    ...suggestions(subjects),
    ...collections(subjects),
    ...channels(subjects),
  ];
}

const since = "updatedSince=2000-01-01T00:00:00Z";

function lists({ largeCollectionId }: Subjects): WorstInput[] {
  const list = (title: string, query: string): WorstInput => ({ operation: "documents.list", title, query });
  const large = `collectionId=${largeCollectionId}`;
  const tags = Array.from({ length: 50 }, (_, n) => `tag=tag-${n}`).join("&");
  return [
    list("F: 100 documents of the greatest length", `limit=100&${large}`),
    list("F: the same with Markdown", `limit=100&format=markdown&${large}`),
    list("the same by title", `limit=100&sort=title&${large}`),
    list("F: a sync page with Markdown", `${since}&limit=1000&format=markdown`),
    list("F: a sync page of large documents with Markdown", `${since}&limit=1000&format=markdown&${large}`),
    list("a sync page of the year 2000 with tombstones", `${since}&limit=1000&includeDeleted=true`),
    list("the last page that an offset reaches", "limit=100&offset=2147483647"),
    list("50 tags", `limit=100&${tags}`),
    list("a title of 10,000 characters", `title=${"a".repeat(10_000)}`),
    { ...list("F: 100 documents at once, eight times", `limit=100&${large}`), copies: 8 },
    {
      ...list("F: a sync page with Markdown at once, eight times", `${since}&limit=1000&format=markdown&${large}`),
      copies: 8,
    },
    list("only ids", `limit=100&fields=id&${large}`),
  ];
}

const alphabet = "abcdefghijklmnopqrstuvwxyz";

/** Words of the vocabulary with a wrong letter in the middle. */
const misspelt = Array.from({ length: 12 }, (_, n) => {
  const word = vocabularyWord(n + 1);
  return `${word.slice(0, 4)}w${word.slice(5)}`;
});

const queries: Readonly<Record<string, string>> = {
  "I: 12 misspelt words over a vocabulary of 120,000": misspelt.join(" "),
  "a word of every document": "document",
  "125 words": Array.from({ length: 125 }, (_, n) => `${alphabet[n % 26]}${n % 10}`).join(" "),
  "250 letters": Array.from({ length: 250 }, (_, n) => alphabet[n % 26]).join(" "),
  "a phrase of 490 characters": `"${"release meeting server customer ".repeat(15)}"`,
  "60 phrases": '"a b" '.repeat(60),
  "120 excluded words": "-ab ".repeat(120),
  "490 characters without a space": "東".repeat(490),
  "490 accents": `a${"\u0301".repeat(489)}`,
  "quotation marks only": '"'.repeat(499),
};

const searches: readonly WorstInput[] = Object.entries(queries).map(([title, query]) => ({
  operation: "documents.search",
  title,
  query: `limit=100&query=${encodeURIComponent(query)}`,
}));

/** The same in the app, which also looks up the place of each hit. */
const searchesOfApp: readonly WorstInput[] = Object.entries(queries)
  .slice(0, 2)
  .map(([title, query]) => ({ operation: "app.search", title, body: json(() => ({ query, limit: 100 })) }));

function suggestions({ treeRootId }: Subjects): WorstInput[] {
  const suggest = (title: string, query: string): WorstInput => ({
    operation: "documents.suggest",
    title,
    body: json(() => ({ query })),
  });
  return [
    suggest("a title of 4,000 documents", "untitled"),
    suggest("490 characters without a space", "東".repeat(490)),
    {
      operation: "documents.backlinks",
      title: "a document of a tree of 4,000",
      body: json(() => ({ id: treeRootId, limit: 100 })),
    },
    {
      operation: "attachments.list",
      title: "a document of a tree of 4,000",
      body: json(() => ({ documentId: treeRootId, limit: 100 })),
    },
  ];
}

function collections({ treeCollectionId, largeCollectionId, chainCollectionId }: Subjects): WorstInput[] {
  const exported = (title: string, id: string, format: string): WorstInput => ({
    operation: "collections.export",
    title,
    query: `id=${id}&format=${format}`,
  });
  const title = "a collection of 4,000 documents";
  const path = { id: treeCollectionId };
  return [
    exported("C: 4,000 documents named Untitled, as Markdown", treeCollectionId, "zip"),
    exported("C: 4,000 documents named Untitled, as HTML", treeCollectionId, "html"),
    exported("C: a chain of 4,000 documents, as Markdown", chainCollectionId, "zip"),
    exported("C: a chain of 4,000 documents, as HTML", chainCollectionId, "html"),
    exported("documents of the greatest length, as Markdown", largeCollectionId, "zip"),
    exported("documents of the greatest length, as HTML", largeCollectionId, "html"),
    { operation: "collections.archive", title, path },
    { operation: "collections.unarchive", title, path },
    {
      operation: "collections.update",
      title: "a description of 4.9 MB",
      path,
      body: json(() => ({ description: "a".repeat(4_900_000) })),
    },
  ];
}

function channels({ channelId, largeDocumentId }: Subjects): WorstInput[] {
  const path = { channelId };
  return [
    {
      operation: "published.list",
      title: "100 documents of the greatest length as text, Markdown and HTML",
      path,
      query: "limit=100",
    },
    {
      operation: "published.get",
      title: "a document of the greatest length",
      path: { channelId, id: largeDocumentId },
    },
  ];
}
