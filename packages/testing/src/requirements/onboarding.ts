import { section } from "./section.ts";

/** Promises about joining a team, and about what people do with their own account. */
export const onboardingRequirements = section("Onboarding and the own account", {
  "onboarding.profile": "auth.updateProfile sets the caller's own name, language and theme",
  "onboarding.mail.sent":
    "A mail is written in the transaction of its cause and sent by a worker, as plain text and HTML in the language of its reader",
  "onboarding.mail.server":
    "SMTP_URL and MAIL_FROM name the mail server and the sender; a password crosses a network only over TLS with a valid certificate",
  "onboarding.mail.retries":
    "A mail is tried again with growing delays while the server cannot be reached or refuses it for now",
  "onboarding.mail.dead-letters":
    "A mail that the server refuses for good is listed with the reason by `kb mail list`, and `kb mail retry` sends it again",
  "onboarding.mail.once":
    "Several workers send a mail once; the mail of a worker that died is sent by another, with the same Message-ID",
  "onboarding.mail.obsolete": "A mail is not sent once its link has expired or its reader is suspended",
});
