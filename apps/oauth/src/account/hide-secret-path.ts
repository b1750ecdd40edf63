import type { EdgeMiddleware } from "@kb/http";

/** Keeps the paths of links, which contain their tokens, out of the log. */
export const hideSecretPath: EdgeMiddleware = async (context, next) => {
  context.set("hasSecretPath", true);
  await next();
};
