export {
  capabilitiesOf,
  channelFacts,
  collectionFacts,
  departureFacts,
  documentFacts,
  knowsTag,
  seesTag,
} from "./facts.ts";
export { TestPasskey } from "./passkey.ts";
export { createPeople, type People, type Person } from "./people.ts";
export { at, type Shape, sizes, twoTeams } from "./shape.ts";
export { totpCode } from "./totp-code.ts";
export { type Ids, idsOf, isTrashed, parentOf, tagName, type Written, writeShape } from "./write.ts";
