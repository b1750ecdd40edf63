/** The method by which a client authenticates at the token endpoint. */
export type ClientAuthentication = "none" | "client_secret_basic" | "client_secret_post";

/** The metadata of a client (RFC 7591 §2), validated and bounded; unknown fields are left out. */
export type ClientMetadata = {
  /** The client chose it, so pages show it beside the host that the answer goes to. Null for a client without a name. */
  readonly name: string | null;
  readonly redirectUris: readonly string[];
  readonly authentication: ClientAuthentication;
  /** The https address of its home page. */
  readonly clientUri: string | null;
};

/** An app that users connect: it registered itself, or its id is the address of its metadata document. */
export type OauthClient = ClientMetadata & {
  readonly id: string;
  readonly kind: "dynamic" | "document";
  /** SHA-256 of its secret; null for a client without a secret. */
  readonly secretHash: Uint8Array<ArrayBuffer> | null;
};
