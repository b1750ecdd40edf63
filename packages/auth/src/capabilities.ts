/** The capabilities that a group may grant its members, in the order of the settings pages. */
export const capabilities = [
  "settings.team_edit",
  "settings.members",
  "settings.groups",
  "developer.mcp",
  "developer.webhooks",
  "developer.api_keys",
  "publishing.channels",
  "collection.create",
  "collection.edit",
  "document.read",
  "document.create",
  "document.edit",
  "document.publish",
  "document.delete",
  "document.destroy",
  "tag.create",
  "tag.manage",
  "export",
  "audit.read",
] as const;

export type Capability = (typeof capabilities)[number];

export type BuiltInGroup = "admins" | "editors" | "members" | "viewers";

const viewer: readonly Capability[] = ["document.read", "export"];
const member: readonly Capability[] = [
  ...viewer,
  "developer.api_keys",
  "document.create",
  "document.edit",
  "tag.create",
];
const editor: readonly Capability[] = [
  ...member,
  "collection.create",
  "collection.edit",
  "document.publish",
  "document.delete",
];

/** The groups that every new team has, with the capabilities of their members. */
export const builtInGroups: Readonly<Record<BuiltInGroup, { name: string; capabilities: readonly Capability[] }>> = {
  admins: { name: "Admins", capabilities },
  editors: { name: "Editors", capabilities: editor },
  members: { name: "Members", capabilities: member },
  viewers: { name: "Viewers", capabilities: viewer },
};

/** Returns the names that this release knows: a removed capability grants nothing. */
export function knownCapabilities(names: Iterable<string>): Capability[] {
  const held = new Set(names);
  return capabilities.filter((capability) => held.has(capability));
}
