export {
  type ApiClient,
  type App,
  api,
  type Failure,
  type Many,
  type One,
  type Page,
  type Reply,
} from "./api-client.ts";
export { callOverRest } from "./call-over-rest.ts";
export { invalidSchemas } from "./contract.ts";
export { type GeneratedRequest, type Known, type Route, requestsOf, routesOf } from "./fuzz.ts";
