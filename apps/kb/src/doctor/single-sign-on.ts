import { checkProvider } from "@kb/oauth";
import type { Settings } from "../env.ts";
import { type Finding, fail, ok, reason, warn } from "./finding.ts";

/** ID tokens are valid for minutes: a clock that differs by more may refuse or accept them wrongly. */
const mostSkewMs = 30_000;

/** Reads the metadata and the keys of the single sign-on, if one is set, and compares the clocks. */
export async function singleSignOnFinding({ singleSignOn }: Settings): Promise<Finding> {
  if (singleSignOn === undefined) return ok("single sign-on", "not used: people log in with passwords");
  const { host } = new URL(singleSignOn.issuer);
  try {
    const { keys, time } = await checkProvider(singleSignOn);
    const skewMs = time === null ? 0 : Math.abs(Date.now() - time.getTime());
    if (skewMs <= mostSkewMs) return ok("single sign-on", `${host} responds with ${keys} keys`);
    const seconds = Math.round(skewMs / 1_000);
    return warn(
      "single sign-on",
      `the clock of ${host} differs by ${seconds} s: set the clock of this machine by NTP.`,
    );
  } catch (error) {
    return fail("single sign-on", `${host} cannot be used (${reason(error)}): start it, or correct OIDC_ISSUER.`);
  }
}
