import { BusyError, deriveKey, type LogInOutcome, logIn } from "@kb/auth";
import type { Service } from "@kb/core";
import { clientNetwork, type Edge, type EdgeContext } from "@kb/http";
import type { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Arrivals } from "./arrivals.ts";
import { noteArrival, noteFailedLogIn } from "./audit.ts";
import { readForm } from "./form.ts";
import type { Guests } from "./guest.ts";
import { type LogInPage, logInBody } from "./pages/log-in.ts";
import { answerPage } from "./pages/page.ts";
import { safeReturnTo } from "./return-to.ts";

/** What `/login` stands on. */
export type LogInOptions = {
  readonly service: Service;
  readonly secret: string;
  readonly guests: Guests;
  readonly arrivals: Arrivals;
  /** The name of the single sign-on, where there is one. */
  readonly singleSignOn: string | undefined;
};

/** `/login`: a plain form that works without script. */
export function serveLogIn(app: Hono<Edge>, options: LogInOptions): void {
  const { service, secret, guests, arrivals, singleSignOn } = options;
  const key = deriveKey(secret, "failed log-ins");
  const show = (context: EdgeContext, shown: Omit<LogInPage, "csrf" | "singleSignOn">, status?: ContentfulStatusCode) =>
    answerPage(context, {
      title: shown.problem === undefined ? "Log in" : "Problem: Log in",
      body: logInBody({ ...shown, csrf: guests.csrfToken(context), singleSignOn }),
      ...(status === undefined ? {} : { status }),
    });

  app.get("/login", async (context) => {
    context.set("route", "/login");
    const returnTo = safeReturnTo(context.req.query("return_to"));
    // Who wants to be somebody else is asked, whoever is here.
    const other = context.req.query("other") === "1";
    if (!other && (await arrivals.isHere(context))) return arrivals.goOn(context, returnTo);
    return show(context, { returnTo });
  });

  app.post("/login", async (context) => {
    context.set("route", "/login");
    const form = await readForm(context, ["email", "password", "csrf", "return_to"]);
    const returnTo = safeReturnTo(form.return_to);
    guests.requireOwnForm(context, form.csrf);
    const outcome = await attempt(context, service, key, form);
    if (outcome !== "busy" && outcome.kind === "in") return arrivals.arrive(context, outcome, returnTo);
    const { status, problem, retryAfterSeconds, fieldsWrong } = refusalOf(outcome);
    if (status === 401) context.header("WWW-Authenticate", 'Cookie form-action="/login"');
    if (retryAfterSeconds !== undefined) context.header("Retry-After", String(retryAfterSeconds));
    return show(context, { returnTo, email: form.email, problem, fieldsWrong }, status);
  });
}

async function attempt(
  context: EdgeContext,
  service: Service,
  key: Uint8Array,
  form: { email: string; password: string },
): Promise<LogInOutcome | "busy"> {
  const { address } = context.var;
  const from = { address, network: clientNetwork(address), userAgent: context.req.header("User-Agent") };
  try {
    const sent = { email: form.email, password: form.password, ...from };
    const outcome = await logIn(service.database, sent, {
      key,
      clock: service.clock,
      onArrival: (tx, { account, session }) =>
        noteArrival(tx, context, service.clock.now(), { account, session, method: "password" }),
    });
    // A failure at an address that nobody has belongs to no team's audit log.
    if (outcome.kind === "wrong" && outcome.account !== null) noteFailedLogIn(service, context, outcome.account);
    return outcome;
  } catch (error) {
    if (error instanceof BusyError) return "busy";
    throw error;
  }
}

type Refusal = { status: 401 | 429 | 503; problem: string; retryAfterSeconds?: number; fieldsWrong: boolean };

function refusalOf(outcome: Exclude<LogInOutcome, { kind: "in" }> | "busy"): Refusal {
  if (outcome === "busy") {
    const problem = "Very many people are logging in just now. Try again in a few seconds.";
    return { status: 503, problem, retryAfterSeconds: 5, fieldsWrong: false };
  }
  if (outcome.kind === "throttled") {
    const { retryAfterSeconds } = outcome;
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const problem = `There were too many failed log-ins. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
    return { status: 429, problem, retryAfterSeconds, fieldsWrong: false };
  }
  const wrong = "The e-mail address or the password is not right.";
  if (!outcome.beset) return { status: 401, problem: wrong, fieldsWrong: true };
  const problem = `${wrong} Many log-ins to this account have failed: after a few more tries you will have to wait.`;
  return { status: 429, problem, retryAfterSeconds: 15 * 60, fieldsWrong: true };
}
