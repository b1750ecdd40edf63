import type { Service } from "@kb/core";
import { guardedFetch } from "@kb/outgoing";
import { createLogger } from "@kb/runtime";
import { knowledgeBase, type Offer } from "../src/offer.ts";

/** Returns the product's offer, and a function that tells how many servers of the SDK it has made so far. */
export function countedOffer(service: Service): { readonly offer: Offer; readonly servers: () => number } {
  const product = knowledgeBase(service, guardedFetch(), createLogger({ app: "mcp", level: "silent" }));
  let made = 0;
  const server: Offer["server"] = (...given) => {
    made += 1;
    return product.server(...given);
  };
  return { offer: { ...product, server }, servers: () => made };
}
