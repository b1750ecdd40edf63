import { ServiceError } from "../errors.ts";

/** The kinds of stored data that quotas limit. */
export const storageKinds = ["documents", "revisions", "attachments"] as const;
export type StorageKind = (typeof storageKinds)[number];

/** Bytes of each kind. */
export type StorageBytes = { readonly [Kind in StorageKind]: number };

/** Limits in bytes; a kind without a limit may grow. `imports`: files that are imported, which always have a limit. */
type StorageLimits = { readonly [Kind in StorageKind | "imports"]?: number | undefined };

/** The limits of each team, and of each user. */
export type Quotas = { readonly team: StorageLimits; readonly user: StorageLimits };

/** The variables of the quotas: `QuotaVariables`. */
type QuotaEnvironment = {
  readonly QUOTA_TEAM_DOCUMENT_BYTES?: number | undefined;
  readonly QUOTA_TEAM_REVISION_BYTES?: number | undefined;
  readonly QUOTA_TEAM_ATTACHMENT_BYTES?: number | undefined;
  readonly QUOTA_TEAM_IMPORT_BYTES?: number | undefined;
  readonly QUOTA_USER_DOCUMENT_BYTES?: number | undefined;
  readonly QUOTA_USER_REVISION_BYTES?: number | undefined;
  readonly QUOTA_USER_ATTACHMENT_BYTES?: number | undefined;
  readonly QUOTA_USER_IMPORT_BYTES?: number | undefined;
};

/** Returns the quotas that the environment sets; without one, nothing is limited. */
export function quotasOf(env: QuotaEnvironment): Quotas {
  return {
    team: {
      documents: env.QUOTA_TEAM_DOCUMENT_BYTES,
      revisions: env.QUOTA_TEAM_REVISION_BYTES,
      attachments: env.QUOTA_TEAM_ATTACHMENT_BYTES,
      imports: env.QUOTA_TEAM_IMPORT_BYTES,
    },
    user: {
      documents: env.QUOTA_USER_DOCUMENT_BYTES,
      revisions: env.QUOTA_USER_REVISION_BYTES,
      attachments: env.QUOTA_USER_ATTACHMENT_BYTES,
      imports: env.QUOTA_USER_IMPORT_BYTES,
    },
  };
}

/** Returns whether an error says that a quota is used up. */
export const isQuotaExceeded = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === "payload_too_large" && error.details?.[0]?.path === "quota";
