import { once } from "node:events";
import { createServer, type Server } from "node:http";
import Provider from "oidc-provider";

/** A real provider of OpenID Connect, in which a test says who is logged in. */
export type IdentityProvider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sets the identity that the provider reports from now on. */
  person: Person;
  /** The time since its visitors logged in, who are not asked again unless a request wants it. */
  loggedInSecondsAgo: number;
  /** The parameters of the requests to its authorization endpoint. */
  readonly asked: URLSearchParams[];
  /** Follows the provider's pages as its own visitor does, until it sends them elsewhere. */
  visit(url: string): Promise<string>;
  close(): Promise<void>;
};

/** The claims of a person, beside `sub`. */
export type Person = Readonly<Record<string, unknown>>;

/** What is special about a provider. */
export type Manners = {
  /** The path of its issuer. Default: none. */
  readonly path?: string;
  /** Whether the ID token holds all claims; otherwise they have to be asked for, as the default of the standard is. */
  readonly inIdToken?: boolean;
  /** Parameters of the authorization request that it does not know, and ignores. */
  readonly ignores?: readonly string[];
  /** Whether it knows the parameter `claims` (OpenID Connect Core §5.5). */
  readonly claimsParameter?: boolean;
};

const profileClaims = [
  "name",
  "groups",
  "roles",
  "https://id.example.com/groups",
  "hd",
  "oid",
  "tid",
  "preferred_username",
];
const overageClaims = ["_claim_names", "_claim_sources", "hasgroups"];

const clientId = "kb";
const clientSecret = "a secret that the provider and the service share";

/** Starts one on a free port. It asks nobody for a password, and consents to everything. */
export async function identityProvider(
  redirectUri: string,
  { path = "", inIdToken = false, ignores = [], claimsParameter = false }: Manners = {},
): Promise<IdentityProvider> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${portOf(server)}${path}`;
  const asked: URLSearchParams[] = [];
  const state: { person: Person; visits: number; loggedInSecondsAgo: number } = {
    person: {},
    visits: 0,
    loggedInSecondsAgo: 0,
  };
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: [...profileClaims, ...overageClaims] },
    conformIdTokenClaims: !inIdToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, claimsParameter: { enabled: claimsParameter } },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ["a key for cookies in a test"] },
    interactions: { url: (_context, interaction) => `${path}/interaction/${interaction.uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...state.person }) }),
  });
  const serve = provider.callback();
  server.on("request", async (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname === `${path}/auth`) {
      asked.push(new URLSearchParams(url.search));
      for (const name of ignores) url.searchParams.delete(name);
    }
    // As Express mounts a provider below a path.
    const whole = `${url.pathname}${url.search}`;
    Object.assign(request, { originalUrl: whole, url: whole.slice(path.length) });
    if (!url.pathname.startsWith(`${path}/interaction/`)) return serve(request, response);
    const { prompt, params } = await provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      // Somebody else each time: no provider session is of use to the next visitor.
      state.visits += 1;
      const isAsked = String(params.prompt ?? "").includes("login");
      const ts = Math.floor(Date.now() / 1_000) - (isAsked ? 0 : state.loggedInSecondsAgo);
      const login = { accountId: `person-${state.visits}`, ts };
      return provider.interactionFinished(request, response, { login });
    }
    const grant = new provider.Grant({ accountId: `person-${state.visits}`, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  });
  return {
    issuer,
    clientId,
    clientSecret,
    asked,
    get person() {
      return state.person;
    },
    set person(person) {
      state.person = person;
    },
    get loggedInSecondsAgo() {
      return state.loggedInSecondsAgo;
    },
    set loggedInSecondsAgo(seconds) {
      state.loggedInSecondsAgo = seconds;
    },
    visit: (url) => follow(url, issuer),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function follow(start: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let hop = 0; hop < 12; hop += 1) {
    if (!url.startsWith(issuer)) return url;
    const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const response = await fetch(url, { headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const next = response.headers.get("Location");
    if (next === null) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
    url = new URL(next, url).href;
  }
  throw new Error("the provider sends its visitor in a circle");
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
