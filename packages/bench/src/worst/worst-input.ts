/** A request that costs the service as much as any that its API accepts. */
export type WorstInput = {
  /** The name of the operation in the route table, or `mcp`. */
  readonly operation: string;
  /** The kind of input, for the table of results. */
  readonly title: string;
  /** Values of the path parameters. */
  readonly path?: Readonly<Record<string, string>>;
  /** The query string without its `?`. */
  readonly query?: string;
  /** Builds the body when it is sent, so that not all bodies are in memory at once. */
  readonly body?: () => string;
  /** Number of equal requests that are sent at once; 1 by default. Then each probe meanwhile is judged, not only the p99 of all. */
  readonly copies?: number;
  /** A request that the short run leaves out. */
  readonly isOnlyLong?: boolean;
};

/** The ids and sizes of what the requests are about. */
export type Subjects = {
  readonly collectionId: string;
  /** A collection of documents as long as a document may be. */
  readonly largeCollectionId: string;
  readonly largeDocumentId: string;
  /** A collection of one document with thousands of children, all of which have the same title. */
  readonly treeCollectionId: string;
  readonly treeRootId: string;
  /** A collection of thousands of documents, each below the one before. */
  readonly chainCollectionId: string;
  /** A tag of every document of the tree. */
  readonly treeTagId: string;
  /** A document that was rewritten in hundreds of places since its first revision, and its Markdown of today. */
  readonly rewrittenId: string;
  /** A document of chained footnotes below the heading `H`. */
  readonly footnotesId: string;
  /** A document of one letter that is repeated. */
  readonly overlappingId: string;
  /** A document of many headings. */
  readonly headingsId: string;
  /** A document of 190,000 rules, which has no text. */
  readonly rulesId: string;
  readonly channelId: string;
  readonly webhookId: string;
  readonly groupId: string;
  readonly userId: string;
  readonly apiKeyId: string;
};

/** The maximum length of a JSON body and of a Markdown body, a little below the limits of the service. */
export const longestJson = 4_990_000;
export const longestMarkdown = 1_490_000;

/** Returns a body that is written as JSON when it is sent. */
export const json =
  (build: () => object): (() => string) =>
  () =>
    JSON.stringify(build());
