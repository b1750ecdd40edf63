import {
  type Actor,
  type Caller,
  type Capability,
  type ChannelReader,
  carries,
  isChannelReader,
  type Scope,
} from "@kb/auth";
import { type ErrorCode, ServiceError } from "./errors.ts";
import { requireCapability } from "./require-capability.ts";

/** The access that a caller needs before an operation looks at its input. */
export type AccessRequirements = {
  readonly scope: Scope;
  /** The capability that every call needs; the policy holds the finer rules. */
  readonly capability: Capability | null;
  /** Refuses API keys and the tokens of apps, whatever their scopes: only a person in the app may do this. */
  readonly sessionOnly?: boolean;
  /** Refuses a session whose user did not prove in the last 15 minutes who they are. */
  readonly freshProof?: boolean;
};

/** The credential of a kind of callers, as edges ask for it and describe it. */
type CredentialDescription = {
  /** Names the credential in the description of the API. */
  readonly id: string;
  readonly name: string;
  /** The name in a sentence, with its article. */
  readonly phrase: string;
  /** The beginning of every such credential. */
  readonly prefix: string;
  readonly description: string;
  /** The code for a credential that is unknown, expired or revoked. */
  readonly invalidCode: ErrorCode;
  /** Whether it carries scopes. */
  readonly scoped: boolean;
};

type Definition<Kind extends Caller, Added> = {
  readonly matches: (caller: Caller) => caller is Kind;
  /** The message for a caller of another kind. */
  readonly refusal: string;
  /** Rejects a caller of this kind that lacks access. Absent if only the kind decides. */
  readonly admit?: (caller: Kind, requirements: AccessRequirements) => void;
  /** The caller's part of an operation's context. */
  readonly context: (caller: Kind) => Added;
  /** Returns the key by which the caller's requests are counted. */
  readonly subject: (caller: Kind) => string;
  readonly credential: CredentialDescription;
};

function callerKind<Kind extends Caller, Added>(definition: Definition<Kind, Added>) {
  const { matches, refusal, admit, context, subject, credential } = definition;
  /** @throws {ServiceError} `authentication_required` for a caller of another kind. */
  const require = (caller: Caller): Kind => {
    if (matches(caller)) return caller;
    throw new ServiceError("authentication_required", refusal);
  };
  return {
    matches,
    require,
    /** @throws {ServiceError} `authentication_required`, `insufficient_scope`, `forbidden`. */
    admit: (caller: Caller, requirements: AccessRequirements): void => {
      const matching = require(caller);
      admit?.(matching, requirements);
    },
    /** @throws {ServiceError} `authentication_required` for a caller of another kind. */
    context: (caller: Caller): Added => context(require(caller)),
    subject: (caller: Caller): string => subject(require(caller)),
    credential,
  };
}

/** The kinds of callers. Each row says how to tell the kind, what it may call, and how edges recognize it. */
export const callerKinds = {
  user: callerKind({
    matches: (caller): caller is Actor => !isChannelReader(caller),
    refusal: "Only a user may do this. A channel token only reads the published documents of its channel.",
    admit: requireUserAccess,
    context: (actor) => ({ actor }),
    subject: (actor) => actor.userId,
    credential: {
      id: "apiKey",
      name: "API key",
      phrase: "an API key",
      prefix: "kb_",
      description: "An API key",
      invalidCode: "invalid_api_key",
      scoped: true,
    },
  }),
  channel: callerKind({
    matches: (caller): caller is ChannelReader => isChannelReader(caller),
    refusal: "Published documents can only be read with a channel token.",
    context: (channel) => ({ channel }),
    subject: (channel) => channel.credential.id,
    credential: {
      id: "channelToken",
      name: "channel token",
      phrase: "a channel token",
      prefix: "kbc_",
      description: "A token of a publishing channel",
      invalidCode: "invalid_token",
      scoped: false,
    },
  }),
};

/** The name of a kind of callers. */
export type CallerKind = keyof typeof callerKinds;

/** The rules by which an operation admits callers. */
export type Admission = AccessRequirements & { readonly caller: CallerKind };

/** Returns the kind of a caller. */
export function kindOf(caller: Caller): CallerKind {
  const kind = kindNames().find((name) => callerKinds[name].matches(caller));
  if (kind === undefined) throw new Error("the caller is of no known kind");
  return kind;
}

/** The names of the kinds. The keys of the table are exactly the names, so the cast adds none. */
function kindNames(): readonly CallerKind[] {
  return Object.keys(callerKinds) as CallerKind[];
}

function requireUserAccess(actor: Actor, { scope, capability, sessionOnly }: AccessRequirements): void {
  const { kind } = actor.credential;
  if (sessionOnly === true && kind !== "session" && kind !== "system") {
    throw new ServiceError("forbidden", "Only a person who is logged in to the app may do this.");
  }
  if (!carries(actor, scope)) {
    throw new ServiceError("insufficient_scope", `This needs a credential with the \`${scope}\` scope.`);
  }
  if (capability !== null) requireCapability(actor, capability);
}
