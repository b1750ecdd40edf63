/** The metadata with which a client registers. */
export type ProviderOptions = {
  readonly redirectUrl?: string;
  /** Its metadata document, where it has one. */
  readonly clientMetadataUrl?: string;
  /** More of what it says of itself, or less. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** A client that keeps no refresh token. */
  readonly forgetful?: boolean;
};

type Tokens = { access_token: string; token_type: string; scope?: string; refresh_token?: string };
type Information = { client_id: string; client_secret?: string };

/** The smallest host for the auth code of both SDKs: keeps everything in memory. */
export class MemoryProvider {
  /** Where the host would have sent its user, each time that the SDK asked for it. */
  readonly asked: URL[] = [];
  information: Information | undefined;
  kept: Tokens | undefined;
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  readonly #metadata: Readonly<Record<string, unknown>>;
  readonly #forgetful: boolean;
  #verifier = "";
  #discovered: object | undefined;

  constructor(options: ProviderOptions = {}) {
    const {
      redirectUrl = "http://127.0.0.1:33418/callback",
      clientMetadataUrl,
      metadata = {},
      forgetful = false,
    } = options;
    this.redirectUrl = redirectUrl;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    this.#metadata = metadata;
    this.#forgetful = forgetful;
  }

  get clientMetadata() {
    const usual = { client_name: "A foreign client", token_endpoint_auth_method: "none" };
    return { redirect_uris: [this.redirectUrl], ...usual, ...this.#metadata };
  }

  state = (): string => "a state";
  clientInformation = (): Information | undefined => this.information;
  saveClientInformation = (information: Information): void => {
    this.information = information;
  };
  tokens = (): Tokens | undefined => this.kept;
  saveTokens = ({ refresh_token, ...tokens }: Tokens): void => {
    this.kept = this.#forgetful || refresh_token === undefined ? tokens : { ...tokens, refresh_token };
  };
  redirectToAuthorization = (address: URL): void => {
    this.asked.push(address);
  };
  saveCodeVerifier = (verifier: string): void => {
    this.#verifier = verifier;
  };
  codeVerifier = (): string => this.#verifier;
  saveDiscoveryState = (state: object): void => {
    this.#discovered = state;
  };
  discoveryState = (): object | undefined => this.#discovered;
  invalidateCredentials = (what: string): void => {
    if (what === "all" || what === "client") this.information = undefined;
    if (what === "all" || what === "tokens") this.kept = undefined;
    if (what === "all" || what === "discovery") this.#discovered = undefined;
  };

  /** The last of those addresses. */
  get lastAsked(): URL {
    const address = this.asked.at(-1);
    if (address === undefined) throw new Error("the user was not asked");
    return address;
  }
}
