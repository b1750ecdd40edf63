export {
  capabilitiesOf,
  channelFacts,
  collectionFacts,
  departureFacts,
  documentFacts,
  seesTag,
} from "./facts.ts";
export { at, type Shape, sizes, twoTeams } from "./shape.ts";
export { type Ids, idsOf, isTrashed, parentOf, tagName, type Written, writeShape } from "./write.ts";
