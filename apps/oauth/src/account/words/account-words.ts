import type { PasswordWeakness } from "@kb/auth";

/** What may be wrong with a name or a password. */
export type EntryProblem = PasswordWeakness | "noName" | "longName" | "oddName" | "shortPassword" | "longPassword";

/** The words of the pages of one's own account in one language. */
export type AccountWords = {
  readonly error: (title: string) => string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly passwordHint: string;
  readonly problems: Readonly<Record<EntryProblem, string>>;
  readonly busy: string;
  readonly logIn: string;
  readonly secondStep: {
    readonly title: string;
    readonly lead: string;
    readonly code: string;
    readonly codeHint: string;
    readonly action: string;
    readonly wrong: string;
    readonly throttled: (minutes: number) => string;
    readonly endedTitle: string;
    readonly ended: string;
    readonly startAgain: string;
  };
  /** A log-in by passkey, or a passkey as the second step. */
  readonly passkey: {
    readonly title: string;
    readonly lead: string;
    readonly offer: string;
    readonly action: string;
    readonly problem: string;
    readonly unsupported: string;
    readonly withoutScript: string;
    readonly withPassword: string;
    readonly wrong: string;
    readonly unverified: string;
    readonly or: string;
    readonly recoveryCode: string;
    readonly recoveryHint: string;
  };
  /** Where people log in by single sign-on only. */
  readonly withoutPasswords: {
    readonly title: string;
    readonly text: (provider: string) => string;
  };
  /** The page of a link that the operator made. */
  readonly link: {
    readonly title: string;
    readonly lead: (name: string, email: string) => string;
    readonly action: string;
    readonly invalidTitle: string;
    readonly invalid: string;
  };
  readonly forgot: {
    readonly title: string;
    readonly lead: string;
    readonly action: string;
    readonly sentTitle: string;
    readonly sent: string;
    readonly withoutMail: string;
    readonly tooMany: string;
  };
  readonly reset: {
    readonly title: string;
    readonly lead: string;
    readonly action: string;
    readonly invalidTitle: string;
    readonly invalid: string;
    readonly again: string;
    readonly doneTitle: string;
    readonly done: string;
  };
  /** The pages of the links that confirm a new e-mail address. */
  readonly emailChange: {
    readonly title: string;
    readonly question: string;
    readonly from: string;
    readonly to: string;
    readonly action: string;
    readonly notYou: string;
    readonly toApp: string;
    readonly results: Readonly<
      Record<"invalid" | "waiting" | "changed" | "taken", { readonly title: string; readonly text: string }>
    >;
  };
  readonly setup: {
    readonly title: string;
    readonly lead: string;
    readonly code: string;
    readonly codeHint: string;
    readonly team: string;
    readonly name: string;
    readonly action: string;
    readonly wrongCode: string;
    readonly throttled: (minutes: number) => string;
    readonly noTeam: string;
    readonly wrongEmail: string;
  };
  readonly join: {
    readonly title: (team: string) => string;
    readonly lead: (by: string) => string;
    /** The lead where people log in by single sign-on only. */
    readonly leadByProvider: (by: string, provider: string) => string;
    readonly action: string;
    readonly withProvider: (provider: string) => string;
    /** Below the button of the single sign-on. */
    readonly sameAddress: (provider: string) => string;
    readonly invalidTitle: string;
    readonly invalid: string;
    readonly taken: string;
  };
};
