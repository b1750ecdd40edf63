/** What the scenarios ask about. */
export type Subject = {
  readonly key: string;
  readonly collectionId: string;
  /** A document of ordinary size. */
  readonly documentId: string;
  readonly body: string;
};

/** One kind of request. `body` makes the n-th one's, so that every PATCH changes something. */
export type Scenario = {
  readonly name: string;
  readonly kind: "read" | "write";
  /** The least share of the floor's throughput that is aimed at. */
  readonly aim: number;
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** Where the n-th request does not go to `path`. */
  readonly pathOf?: (n: number) => string;
  readonly body?: (n: number) => string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The everyday requests: authentication, policy and rate limit included. */
export function scenarios({ collectionId, documentId, body }: Subject): Scenario[] {
  const documents = "/api/v1/documents";
  const json = (value: unknown): string => JSON.stringify(value);
  return [
    { name: "GET a document", kind: "read", aim: 0.6, method: "GET", path: `${documents}/${documentId}` },
    { name: "list 25", kind: "read", aim: 0.6, method: "GET", path: documents },
    { name: "search, a rare word", kind: "read", aim: 0.6, method: "GET", path: "/api/v1/search?query=prefetching" },
    { name: "search, a common word", kind: "read", aim: 0.6, method: "GET", path: "/api/v1/search?query=component" },
    {
      name: "create",
      kind: "write",
      aim: 0.5,
      method: "POST",
      path: documents,
      body: (n) => json({ title: `Made by the bench ${n}`, collectionId, text: body, publish: true }),
    },
    {
      name: "PATCH the body",
      kind: "write",
      aim: 0.5,
      method: "PATCH",
      path: `${documents}/${documentId}`,
      body: (n) => json({ text: `${body}\n\nChange ${n}\n` }),
    },
  ];
}
