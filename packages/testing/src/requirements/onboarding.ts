import { section } from "./section.ts";

/** Promises about joining a team, and about what people do with their own account. */
export const onboardingRequirements = section("Onboarding and the own account", {
  "onboarding.whole":
    "With only a browser, an admin sets up a team that joins, adds passkeys and writes, shares by a key, an app and a channel, and reads the log of it",
  "onboarding.welcome":
    "The welcome collection teaches the product in five short pages, whose links and requests work as they stand",
  "onboarding.app-approval":
    "A team can require that somebody with developer.mcp approves an app before members connect it; the consent page asks for the approval",
  "onboarding.app-approval.shown":
    "An approval is for one team, and for the name and the redirect addresses that were shown: an app that changes them is asked for again",
  "onboarding.app-approval.withdrawn":
    "Refusing an app, or withdrawing its approval, ends its connections in the team at once, also those that are allowed at that moment",
  "onboarding.setup.code":
    "The first start prints a code, of which only a hash is stored; it is valid once, for 24 hours, until the password is changed in another way",
  "onboarding.setup.page":
    "/setup asks for the code, the team and the first admin, without script; without a valid code it is a page that does not exist",
  "onboarding.setup.attempts": "After ten wrong codes from one network, /setup refuses further ones for 15 minutes",
  "onboarding.second-factor.totp":
    "A code of an authenticator app (RFC 6238) is valid for its step and one step around it, and each step works once",
  "onboarding.second-factor.limit":
    "After ten wrong codes in 15 minutes, further codes of the app are refused there; recovery codes are accepted, and log-in and settings count apart",
  "onboarding.second-factor.guesses":
    "A user has twenty wrong codes of the app, at log-in and in the settings together and from any address, and ten more each day; a recovery code forgives them",
  "onboarding.second-factor.warned":
    "A mail tells the owner of ten wrong codes, once a day, and that somebody removed their second factor",
  "onboarding.second-factor.switch":
    "A team can require a second factor: members without one are logged out, set it up at log-in, and none may turn it off",
  "onboarding.second-factor.required":
    "Where a team requires a second factor, a log-in or an invitation of somebody without one starts a session only after its set-up, on pages without script",
  "onboarding.second-factor.sealed":
    "The key of an authenticator app is encrypted with the secret of the installation; `kb reseal` encrypts it again",
  "onboarding.second-factor.recovery":
    "Ten recovery codes, of which only hashes are stored, work once each; new ones replace them",
  "onboarding.second-factor.set-up":
    "auth.secondFactor.start needs the password or a code, and auth.secondFactor.confirm the first code of the new app",
  "onboarding.second-factor.log-in":
    "A user with a second factor gets a session only after a code, which a page without script asks for, after a password and after a single sign-on",
  "onboarding.second-factor.audit":
    "Set-up, removal, new recovery codes, log-ins with the kind of code and failed codes are in the audit log",
  "onboarding.second-factor.lost":
    "users.resetSecondFactor and `kb user reset-second-factor` remove the second factor of somebody who lost it, and end their sessions",
  "onboarding.picture.set":
    "A picture is a PNG, JPEG or WebP that does not move, of at most 300,000 bytes and 512 × 512 pixels; it counts as an attachment of its user",
  "onboarding.picture.removed":
    "A user removes their own picture, and those who manage people that of others; both are in the audit log",
  "onboarding.picture.hidden":
    "A picture is for those who see the name of its user; for others it is answered like one that does not exist",
  "onboarding.picture.served":
    "A picture is served as an image only, with its version as ETag, and kept by the browser of its reader",
  "onboarding.picture.shown":
    "The app shows the picture of a user beside their name, in the bar, among people, in the history and while they write; without one, initials",
  "onboarding.logo.set":
    "Those who may rename the team set its logo, with the limits of pictures, and remove it; both are in the audit log",
  "onboarding.logo.hidden":
    "A logo is for the people of its team; for others it is answered like one that does not exist",
  "onboarding.logo.shown": "The app shows the logo of the team beside its name; without one, the icon of the product",
  "onboarding.email.start": "auth.emailChange.start needs a fresh proof and an address that is not the present one",
  "onboarding.email.both":
    "An e-mail address changes when links to the old and to the new address were both used, in either order; each step is audited",
  "onboarding.email.link":
    "The links of a change work once each, for an hour, for their own address; only hashes of their tokens are stored",
  "onboarding.email.same-answer":
    "A change to the address of another account gets the same answer; the owner of the address learns it by mail, and nothing changes",
  "onboarding.email.again":
    "The links that were not used can be sent again; a change ends by a newer one, by cancelling, by a suspension and when an admin changes the address",
  "onboarding.email.after":
    "After a change, sessions, password and keys stay, the log-in is by the new address, and a mail to the old one says so",
  "onboarding.email.handed-over":
    "Without a mail server, users.emailChangeLinks gives an admin the links of a change to hand over",
  "onboarding.email.page": "/login/email/{token} asks before it confirms, without script, and logs nobody in",
  "onboarding.passkeys.checked":
    "A passkey counts only with the signature of its key over a challenge of the service, for the origin and the host of APP_URL",
  "onboarding.passkeys.challenge":
    "A challenge works once, for five minutes, for its purpose and in its session or browser; only a hash is stored",
  "onboarding.passkeys.site":
    "Passkeys are bound to the host of APP_URL; where browsers offer none, at http or a number, the service says so",
  "onboarding.passkeys.manage":
    "Each user has up to 20 passkeys with names, lists, renames and removes them; adding and removing need a fresh proof, are audited, and are told by mail",
  "onboarding.passkeys.second-factor":
    "A passkey counts as a second factor; the first comes with ten recovery codes and ends other sessions, and a team that requires one keeps the last",
  "onboarding.passkeys.log-in":
    "A passkey is the second step after the password, and without password the whole log-in where it checked the finger, the face or the PIN of its user",
  "onboarding.passkeys.page":
    "The log-in pages offer passkeys by one script, whose hash their policy names; without script they offer codes",
  "onboarding.passkeys.copied":
    "A passkey whose number of signatures does not grow is refused, and the audit log says so",
  "onboarding.proof.asked":
    "A session changes keys, people, grants, webhooks, channels, restricted tags and the switch of MCP only within 15 minutes of its log-in or of auth.prove; the app asks and then goes on",
  "onboarding.proof.kinds":
    "The proof is a passkey or a code where there is a second factor, else the password, else another log-in",
  "onboarding.proof.guesses":
    "A user has twenty wrong current passwords in their sessions and ten more each day, unless they proved in the last 15 minutes who they are; each is in the audit log, and the right password forgives them",
  "onboarding.proof.single-sign-on":
    "A single sign-on counts as a proof from the time at which the provider says that the user logged in; the link to log in again has the provider ask them (`prompt=login`, `max_age`), and needs its word (`auth_time`)",
  "onboarding.groups.follow":
    "With OIDC_GROUPS_CLAIM and OIDC_GROUPS_MAP, each single sign-on puts its user into the groups that the claim names and takes them out of the other mapped ones; further groups stay",
  "onboarding.groups.last-admin": "A claim never takes the last active admin of a team out of the group of admins",
  "onboarding.groups.hostile":
    "A claim of another form than a text or a list of texts lets nobody in and changes no group; values are compared exactly, in any number",
  "onboarding.groups.audit":
    "The audit log records which groups a single sign-on gave and took, and the log of the process names mapped groups that do not exist",
  "onboarding.recipes.keycloak":
    "The recipe for Keycloak works with the issuer of a realm, a claim of groups and addresses that it marks as verified",
  "onboarding.recipes.google":
    "The recipe for Google lets in accounts of one organization (`hd`), and takes no log-in as a proof whose time Google does not state",
  "onboarding.recipes.entra":
    "The recipe for Microsoft Entra ID works with the issuer of one tenant, addresses without email_verified, and ids of groups",
  "onboarding.required-claim":
    "OIDC_REQUIRED_CLAIM lets in only users whose claim is exactly the value, or a list with it",
  "onboarding.trust-email":
    "OIDC_TRUST_EMAIL accepts an address without email_verified, never one with another value than true, and only from an issuer of one tenant",
  "onboarding.passwords-off.pages":
    "With PASSWORD_LOGIN=false, the log-in page shows only the single sign-on, and /login, /forgot, /reset, /join and /setup take no password",
  "onboarding.passwords-off.operations":
    "With PASSWORD_LOGIN=false, no operation sets or accepts a password: the proof is a code of the second factor, or a new log-in",
  "onboarding.passwords-off.complete":
    "PASSWORD_LOGIN=false without a single sign-on is refused at the start, and kb doctor says when nobody can log in",
  "onboarding.log-in-link":
    "A link of `kb user log-in-link` logs its user in once, within 15 minutes, while they have the address and are active; a second factor is asked for, only a hash is stored, and it is audited",
  "onboarding.invitation.single-sign-on":
    "Somebody who is invited joins by single sign-on with the invited address, once, with the groups of the invitation and without a password",
  "onboarding.profile": "auth.updateProfile sets the caller's own name, language and theme",
  "onboarding.password.weak":
    "A password that a person chooses must not be leaked, a simple pattern or their own name; the refusal says why",
  "onboarding.invitation.create":
    "invitations.create invites many people at once to groups, and mails each a link, or returns the links without a mail server",
  "onboarding.invitation.once":
    "The link of an invitation is valid once, for 7 days, for one address; only a hash of its token is stored",
  "onboarding.invitation.inviter":
    "An invitation ends when its sender is suspended or may no longer invite people to its groups",
  "onboarding.invitation.manage": "Open invitations are listed, sent again with a new link, and revoked",
  "onboarding.invitation.page":
    "/join/{token} asks an invited person for a name and a password, without script, and logs them in",
  "onboarding.log-in.same-answer":
    "A failed log-in has the same answer, after the same time, for an unknown address, a wrong password, a user without a password and a suspended one",
  "onboarding.reset.same-answer":
    "/forgot answers in the same way, and after the same work, whether or not the address has an account",
  "onboarding.reset.link":
    "A link for a forgotten password is valid once, for an hour, while its user has the address; only a hash of its token is stored",
  "onboarding.reset.ends-access":
    "A password that is set by a link ends all sessions and connected apps of its user, and is audited",
  "onboarding.reset.maker":
    "A link to set a password ends when the admin who made it is suspended or may no longer set the password of its user",
  "onboarding.reset.admin":
    "users.createPasswordLink mails a user a link to set their password, or returns it without a mail server",
  "onboarding.reset.page": "/forgot and /reset/{token} work without script, and the log-in page leads to them",
  "onboarding.kb":
    "kb user list, unsuspend and invite, kb group list, and kb key list and revoke manage people and keys; kb team create gives a link to set a password",
  "onboarding.rest":
    "GET and POST /api/v1/users, /api/v1/groups and /api/v1/api-keys list and create for unrestricted API keys of scope `admin`, with the permissions of their owner",
  "onboarding.rest.key-life": "A key that expires creates no key that outlives it",
  "onboarding.rest.no-admin":
    "An API key adds nobody to a group that manages people and creates no such group, so that no admin outlives the key",
  "onboarding.links.purpose":
    "The token of a link is stored as a hash with its purpose: the pages of every other purpose do not know it",
  "onboarding.mail.content": "A mail holds the names of its team and its sender, and no text of documents",
  "onboarding.mail.limit":
    "For its admins, a team sends at most 200 mails an hour and 5 a day to one address; for forgotten passwords 200 and 5 an hour, counted apart, and each person gets one an hour all the same; for new addresses of its members as for admins, counted apart",
  "onboarding.mail.sealed":
    "The token of a link is sealed until its mail is sent or withdrawn, and is stored nowhere in the clear",
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
