export {
  type CollectionAction,
  type CollectionFacts,
  type Decision,
  type DocumentAction,
  type DocumentFacts,
  decideCollection,
  decideCreateCollection,
  decideDocument,
  type Level,
} from "./access.ts";
export { activeUser, activeUserOf } from "./active-user.ts";
export { type Actor, type CredentialKind, carries, holds, type McpSwitch, type Scope } from "./actor.ts";
export { type ActorRow, actorColumns, actorFrom } from "./actor-row.ts";
export { hashToken, isWellFormedToken, makeToken, type StoredToken, storedToken, type TokenPrefix } from "./api-key.ts";
export { authenticateApiKey } from "./authenticate.ts";
export { type BuiltInGroup, builtInGroups, type Capability, capabilities, knownCapabilities } from "./capabilities.ts";
export {
  type ChannelDocumentFacts,
  type ChannelDraft,
  channelDocuments,
  channelFacts,
  decideChannelDocument,
} from "./channel-access.ts";
export { authenticateChannelToken, type Caller, type ChannelReader, isChannelReader } from "./channel-reader.ts";
export { isSparse, reach, readableTotal, readableTotalsOfTags } from "./countable.ts";
export { type ExpectedCaller, expectedCallers, expectedSessions } from "./expected-callers.ts";
export { BusyError } from "./gate.ts";
export { knownTags } from "./known-tags.ts";
export { createLinkToken, hashLinkToken, isLinkToken } from "./link-token.ts";
export { credentialKey, type LiveCredential, liveCredentials } from "./live-credentials.ts";
export type { Account, NewLogInSession } from "./log-in/account.ts";
export { type LogIn, type LogInOutcome, logIn } from "./log-in/log-in.ts";
export {
  completeWithPasskey,
  logInWithPasskey,
  type PasskeyLogIn,
  type PasskeyLogInOutcome,
  secondStepBinding,
} from "./log-in/passkey.ts";
export { provePassword } from "./log-in/prove-password.ts";
export {
  completeWithSecondFactor,
  type FirstStep,
  findFirstStep,
  isFirstStepValid,
  type NeededStep,
  type SecondStep,
  type SecondStepOutcome,
} from "./log-in/second-step.ts";
export { readStanding, settleAttempt, type Throttled } from "./log-in/throttle.ts";
export * from "./oauth/index.ts";
export { type Assertion, assertionOptions } from "./passkeys/assertion.ts";
export { type ChallengeUse, challengeLifetimeMs, issueChallenge, useChallenge } from "./passkeys/challenges.ts";
export { loadWebAuthn } from "./passkeys/load-web-authn.ts";
export { checkPasskey, type PasskeyRefusal, settlePasskey } from "./passkeys/prove.ts";
export { checkRegistration, type Registration, registrationOptions } from "./passkeys/registration.ts";
export { relyingPartyOf, supportsPasskeys } from "./passkeys/relying-party.ts";
export { lockFactorOfPasskeys, maxPasskeys, readPasskeys, storePasskey } from "./passkeys/store.ts";
export { hashPassword, makePassword, verifyPassword } from "./password.ts";
export { findPasswordWeakness, type PasswordWeakness } from "./password-weakness.ts";
export { perActor } from "./per-actor.ts";
export {
  collectionLevel,
  deletableDocuments,
  editableDocuments,
  keyCollectionLevel,
  keyDocumentLevel,
  knownParents,
  readableCollections,
  readableDocuments,
  readableEvents,
  readableIds,
  readableParents,
  readableTombstones,
  visibleTags,
} from "./readable.ts";
export { rightsOf } from "./rights.ts";
export { type RightsInDocument, readRightsInDocuments, type UserOfDocument } from "./rights-in-documents.ts";
export { proveSecondFactor } from "./second-factor/prove.ts";
export {
  findFactorMark,
  hasSecondFactor,
  type Proof,
  type ProvenFactor,
  readFactorParts,
  recoveryCodeCount,
  removeApp,
  removeSecondFactor,
  replaceRecoveryCodes,
  type SecondFactorMethod,
  storeSecondFactor,
} from "./second-factor/store.ts";
export { createTotpSecret, findTotpStep, totpSecretText, totpUri } from "./second-factor/totp.ts";
export { deriveKey, isSameSecret, type Sealer, sealer } from "./secrets.ts";
export { authenticateSession } from "./sessions/authenticate.ts";
export {
  createSession,
  endOtherProofs,
  endSession,
  endSessions,
  type NewSession,
  recordProof,
} from "./sessions/store.ts";
export { csrfTokenOf, isCsrfTokenOf } from "./sessions/token.ts";
export { idsOfTagged, type TaggedPage, tagged } from "./tagged.ts";
export { createTypedCode, hashTypedCode } from "./typed-code.ts";
export { documentFacts, visibleDocument } from "./visible-document.ts";
