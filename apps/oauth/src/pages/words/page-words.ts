import type { Destination } from "../../clients/redirect-uri.ts";
import type { Html } from "../page.ts";

/** A title and an explanation for the user. */
export type Explanation = { readonly title: string; readonly words: string };

/** A choice of what an app may do. */
type Choice = { readonly name: string; readonly meaning: string };

/** The words of the pages of log-in, log-out, consent and problems in one language. The name of an app is null if it states none. */
export type PageWords = {
  readonly useAnotherAccount: string;
  readonly forDevelopers: string;
  readonly logIn: {
    readonly title: string;
    readonly lead: string;
    readonly leadForApp: string;
    readonly forgotten: string;
    readonly or: string;
    readonly withProvider: (provider: string) => string;
    /** After an attempt with a password where they are switched off. */
    readonly passwordsOff: string;
    readonly throttled: (minutes: number) => string;
    readonly wrong: string;
    readonly fewLeft: string;
  };
  readonly logOut: {
    readonly title: string;
    readonly question: string;
    readonly account: (name: string, email: string) => Html;
    readonly doneTitle: string;
    readonly done: string;
  };
  readonly consent: {
    readonly title: (app: string | null) => string;
    readonly question: (app: string | null) => Html;
    readonly lead: (team: string) => Html;
    readonly legend: string;
    readonly allow: string;
    readonly deny: string;
    readonly limits: string;
    readonly proof: string;
    readonly wrongPassword: string;
    readonly manyPasswords: (minutes: number) => string;
    readonly you: string;
    readonly from: string;
    readonly next: string;
    readonly nextSteps: Readonly<Record<Destination["kind"], (shown: string) => Html>>;
    readonly nameless: string;
    readonly unverified: string;
    readonly check: string;
    readonly listener: (address: string) => Html;
    readonly trusted: string;
    readonly read: Choice;
    readonly readWrite: Choice;
    readonly readsOnly: string;
  };
  readonly mcpDisabled: {
    readonly title: string;
    readonly reason: (team: string, app: string | null) => Html;
    readonly wayOut: string;
    readonly back: (app: string | null) => Html;
    readonly account: (name: string) => Html;
  };
  readonly approval: {
    readonly title: string;
    readonly reason: (team: string, app: string | null) => Html;
    readonly asked: string;
    readonly approved: string;
    readonly connect: string;
    readonly refused: string;
    readonly ask: string;
    readonly again: string;
  };
  readonly request: {
    readonly invalid: Explanation;
    readonly unregistered: Explanation;
    readonly tooMany: Explanation;
    readonly needsConsent: Explanation;
    readonly nothingAllowed: string;
    readonly notConnected: (app: string | null, destination: Html) => Html;
    readonly continueTo: (destination: Html) => Html;
    readonly appFor: (scheme: string) => Html;
  };
  readonly problem: {
    readonly titles: Readonly<Record<number, string>>;
    readonly title: string;
    readonly notFound: string;
    /** What did not work: the service's own sentence, which is English; other languages have one for each code. */
    readonly message: (body: { readonly error: string; readonly code: string }) => string;
    readonly reference: (requestId: string) => string;
    readonly toLogIn: string;
  };
};
