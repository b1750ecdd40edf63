import { checkProvider } from "@kb/oauth/check-provider";
import type { SingleSignOnSettings } from "@kb/oauth/variables";
import type { Settings } from "../env.ts";
import { type Finding, fail, ok, reason, warn } from "./finding.ts";

/** ID tokens are valid for minutes: a clock that differs by more may refuse or accept them wrongly. */
const mostSkewMs = 30_000;

/** Reads the metadata and the keys of the single sign-on, if one is set, and compares the clocks. */
export async function singleSignOnFinding({ singleSignOn, passwordLogIn }: Settings): Promise<Finding> {
  if (singleSignOn === undefined) {
    return ok("single sign-on", "not used: people log in with passwords (OIDC_ISSUER is not set)");
  }
  const { host } = new URL(singleSignOn.issuer);
  try {
    const { keys, time } = await checkProvider(singleSignOn);
    const skewMs = time === null ? 0 : Math.abs(Date.now() - time.getTime());
    if (skewMs <= mostSkewMs)
      return ok(
        "single sign-on",
        `${host} responds with ${keys} keys; ${variablesIn(singleSignOn)}${passwordLogIn ? "" : onlyWay}`,
      );
    const seconds = Math.round(skewMs / 1_000);
    return warn(
      "single sign-on",
      `the clock of ${host} differs by ${seconds} s: set the clock of this machine by NTP.`,
    );
  } catch (error) {
    const now = passwordLogIn ? "" : nobody;
    return fail("single sign-on", `${host} cannot be used (${reason(error)}): start it, or correct OIDC_ISSUER.${now}`);
  }
}

const onlyWay = ". PASSWORD_LOGIN is false, so nobody logs in without it";
const nobody =
  " Nobody can log in now, because PASSWORD_LOGIN is false: `kb user log-in-link` prints a link for an admin, or set PASSWORD_LOGIN=true.";

/** Names the variables that change who may log in, and as what; never their values. */
function variablesIn({
  trustEmail,
  requiredClaim,
  createUsersIn,
  signUpDomains,
  groups,
}: SingleSignOnSettings): string {
  const used = {
    OIDC_TRUST_EMAIL: trustEmail === true,
    OIDC_REQUIRED_CLAIM: requiredClaim !== undefined,
    OIDC_CREATE_USERS: createUsersIn !== undefined,
    OIDC_SIGN_UP_DOMAINS: signUpDomains !== undefined,
    OIDC_GROUPS_CLAIM: groups !== undefined,
    OIDC_GROUPS_MAP: groups !== undefined,
  };
  const names = Object.entries(used).flatMap(([name, isUsed]) => (isUsed ? [name] : []));
  return ["OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are set", ...names.map((name) => `so is ${name}`)].join(
    ", ",
  );
}
