/** How a client shows at the token endpoint that it is itself. */
export type ClientAuthentication = "none" | "client_secret_basic" | "client_secret_post";

/** What a client said of itself (RFC 7591 §2): checked, bounded, and what is unknown left out. */
export type ClientMetadata = {
  /** Of its own choosing: to be shown as such, beside the host that the answer goes to. Null where it gave none. */
  readonly name: string | null;
  readonly redirectUris: readonly string[];
  readonly authentication: ClientAuthentication;
  /** Its home page; https. */
  readonly clientUri: string | null;
};

/** An app that people connect: registered by itself, or known by the document at the address that is its id. */
export type Client = ClientMetadata & {
  readonly id: string;
  readonly kind: "dynamic" | "document";
  /** SHA-256 of its secret; null for one that has none. */
  readonly secretHash: Uint8Array | null;
};
