import { plural } from "../../plural.ts";

const count = plural("en");

/** Words that every page of the settings shares. */
export const frame = {
  allSettings: "All settings",
  needsScript: "This page needs JavaScript. Switch it on in your browser and load the page again.",
  sections: { account: "Account", developers: "Developers", publishing: "Publishing", team: "Team" },
  pages: {
    you: { name: "You", about: "Your name, password, sessions, and how the app looks" },
    keys: { name: "API keys", about: "Let scripts and other services read and write for you" },
    assistants: { name: "Assistants", about: "Connect Claude, ChatGPT, Cursor and others" },
    webhooks: { name: "Webhooks", about: "Tell other services when something changes" },
    channels: { name: "Channels", about: "Publish documents to a website or another program" },
    people: { name: "People", about: "Invite people, choose their groups, suspend them" },
    groups: { name: "Groups", about: "What the members of each group may do" },
    tags: { name: "Tags", about: "Rename, color and restrict the tags of the team" },
    audit: { name: "Audit log", about: "Who did what, and when" },
    transfer: { name: "Import and export", about: "Save collections as files" },
    team: { name: "Team", about: "The name and the logo of the team" },
  },
  copy: "Copy",
  copied: "Copied",
  copyOf: (name: string) => `Copy ${name}`,
  copyByHand: (keys: string) => `Your browser did not allow copying. The text is selected: press ${keys}.`,
  secretWarning: "You see this only once. Keep it somewhere safe before you go on.",
  secretSaved: "I’ve saved it",
  saved: "Saved.",
  close: "Close",
  never: "never",
  fieldWrong: (sentence: string) => `${sentence}.`,
  showMore: "Show more",
  shown: (n: number, total: number) => `${n} of ${count(total, { one: "# entry", other: "# entries" })}`,
};
