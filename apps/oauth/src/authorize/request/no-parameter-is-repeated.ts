import { refuseRepeated } from "../../parameters/read-parameters.ts";
import type { Check } from "./asked.ts";

/** OAuth 2.1 §3.1: no parameter more than once, but for `resource` (RFC 8707 §2). */
export const noParameterIsRepeated: Check = ({ parameters }) => refuseRepeated(parameters);
