import { isolated } from "../../isolated.ts";

/** Words about the change of an e-mail address. */
export const email = {
  title: "E-mail address",
  present: "You log in with",
  change: "Change the address",
  changeText:
    "A link goes to your present address and another to the new one. The address changes when you opened both. An administrator of your team can also change it.",
  submit: "Send the links",
  next: "New address",
  oldMailbox: "From the present address",
  newMailbox: "From the new address",
  confirmed: "Confirmed",
  open: "Not yet confirmed",
  until: "Valid until",
  waiting:
    "Open the links in both mailboxes. No mail? Look into the spam folder. If the address belongs to another account, its owner got a mail that says so.",
  handedOver: "No mails are sent here: ask an administrator of your team for the two links.",
  again: "Send the links again",
  longer: "Wait another hour",
  sent: "The links are on their way.",
  cancel: "Cancel the change",
  cancelTitle: "Cancel the change?",
  cancelText: "The links stop working, and you keep your present address.",
  cancelled: "The change is cancelled.",
  waitingTitle: "New e-mail addresses",
  waitingText: "These people want to change their address. No mails are sent here: hand both links over to them.",
  fromTo: (from: string, to: string) => `${isolated(from)} to ${isolated(to)}`,
  makeLinks: "Make the links",
  makeLinksOf: (name: string) => `Make the links: ${name}`,
  linksMade: "The links are made. Earlier ones stop working.",
  linksTitle: "Hand these links over",
  linksText:
    "Give each link only to the owner of its address, in a way that shows that the address is theirs. Each works once, within an hour.",
  linkFor: (address: string) => `Link for ${isolated(address)}`,
  hasConfirmed: (address: string) => `${isolated(address)} has confirmed already.`,
};
