import { requireResource } from "../../resource.ts";
import type { Check } from "./asked.ts";

/** RFC 8707 §2: tokens are for one resource; another is `invalid_target`. */
export const resourceIsOurs: Check = ({ appUrl, parameters }) => {
  requireResource(appUrl, parameters);
};
