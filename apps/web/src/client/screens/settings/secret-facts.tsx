import type { ReactElement } from "react";
import { When } from "../../parts/when.tsx";

/** What a list knows of a secret: enough to recognize it and to decide whether it is still needed. */
type Secret = {
  readonly prefix: string;
  readonly suffix: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
};

type SecretWords = {
  readonly revoked: string;
  readonly expired: string;
  readonly neverUsed: string;
  readonly lastUsed: string;
  readonly expires: string;
};

type SecretProps = { readonly secret: Secret; readonly words: SecretWords };

/** Says that a secret is revoked or has expired; nothing about one that works. */
export function SecretState({ secret: { revokedAt, expiresAt }, words }: SecretProps): ReactElement | null {
  if (revokedAt !== null) return <span className="tag alarm">{words.revoked}</span>;
  if (expiresAt === null || new Date(expiresAt) > new Date()) return null;
  return <span className="tag alarm">{words.expired}</span>;
}

/** The ends of a secret, when it was last used, and when it expires. */
export function SecretFacts({ secret, words }: SecretProps): ReactElement {
  const { prefix, suffix, lastUsedAt, expiresAt } = secret;
  return (
    <>
      <code dir="ltr">
        {prefix}…{suffix}
      </code>
      {lastUsedAt === null ? (
        <span>{words.neverUsed}</span>
      ) : (
        <span>
          {words.lastUsed} <When time={lastUsedAt} />
        </span>
      )}
      {expiresAt !== null && (
        <span>
          {words.expires} <When time={expiresAt} />
        </span>
      )}
    </>
  );
}
