/** The credential and the data of the scenarios. */
export type Subject = {
  readonly key: string;
  readonly collectionId: string;
  /** A document of median size. */
  readonly documentId: string;
  readonly body: string;
};

/** One kind of request. `body` returns the body of the n-th one, so that every PATCH changes something. */
export type Scenario = {
  readonly name: string;
  readonly kind: "read" | "write";
  /** The target for the throughput, as a share of the floor's. */
  readonly aim: number;
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** Returns the path of the n-th request, if it is not `path`. */
  readonly pathOf?: (n: number) => string;
  readonly body?: (n: number) => string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns further headers of the n-th request. */
  readonly headersOf?: (n: number) => Readonly<Record<string, string>>;
};

/** Returns the everyday requests, which include authentication, policy and rate limit. */
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
      body: (n) => json({ title: `Created by the benchmark ${n}`, collectionId, text: body, publish: true }),
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
