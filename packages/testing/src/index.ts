export {
  type ApiClient,
  type App,
  api,
  type Credential,
  type Failure,
  type Many,
  type One,
  type Page,
  type Reply,
} from "./api-client.ts";
export { type TestClock, testClock } from "./clock.ts";
export { type Collector, startCollector, type ToldSpan } from "./collector.ts";
export {
  type AllowedApp,
  allowApp,
  type ConnectedApp,
  type Consent,
  connectApp,
  registerApp,
  testChallenge,
  testRedirectUri,
  testVerifier,
} from "./connected-app.ts";
export { invalidSchemas } from "./contract.ts";
export { type TestDatabase, testDatabase } from "./database.ts";
export { type FaultProxy, faultProxy } from "./fault-proxy.ts";
export { type GeneratedRequest, type Known, type Route, requestsOf, routesOf } from "./fuzz.ts";
export { readScrape, type Scrape } from "./prometheus-text.ts";
export { type RealDocument, realDocuments } from "./real-documents.ts";
export {
  createWorld,
  type KeyOptions,
  type Person,
  type Restrictions,
  type SessionCredential,
  testSecret,
  type World,
} from "./world.ts";
