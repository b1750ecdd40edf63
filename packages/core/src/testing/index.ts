export { callerOf, outcomeOf, type TestCaller, unknownId } from "./caller.ts";
export { cases, cells, missingCase, operationCases } from "./case-registry.ts";
export { type ChannelShape, channelReaderOf, openChannel, type TestChannel } from "./channel.ts";
export {
  type AllowedApp,
  allowApp,
  type ConnectedApp,
  type Consent,
  connectApp,
  isConnected,
  registerApp,
  testChallenge,
  testRedirectUri,
  testVerifier,
} from "./connected-app.ts";
export type { Credential } from "./credential.ts";
export { dot } from "./files.ts";
export { fillCollection } from "./fill-collection.ts";
export { holdIdempotencyKey } from "./hold-idempotency-key.ts";
export { hostileTitles } from "./hostile-titles.ts";
export { inApp, insertedText, LiveClient } from "./live-client.ts";
export type { Outcome } from "./matrix/cells.ts";
export { type Column, columns } from "./matrix/columns.ts";
export { authenticateCredential, invokeOperation, operationNamed, operationNames } from "./matrix/invoke-operation.ts";
export { type Scene, setScene } from "./matrix/scene.ts";
export type { CaseInput, PlanCase, PlanQuestion, PlanSubjects } from "./operation-case.ts";
export { addPasskeyBy, type GivenPasskey, givePasskey } from "./passkeys.ts";
export { giveLogo, givePicture } from "./picture.ts";
export { type RealDocument, realDocuments } from "./real-documents.ts";
export { giveSecondFactor, type TestAuthenticator, takeSecondFactor } from "./second-factor.ts";
export { abbreviated, budgetOf, type StatementLog, statementLog } from "./statements.ts";
export { readAllRows, type SyncRow, timeOfRow } from "./sync-rows.ts";
export { addPerson, eventsDuring, groupIdsOf, sessionCallerOf } from "./team-people.ts";
export {
  createWorld,
  type KeyOptions,
  type Person,
  type Restrictions,
  type SessionCredential,
  testSecret,
  type World,
} from "./world.ts";
