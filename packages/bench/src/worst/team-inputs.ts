import { json, longestJson, type Subjects, type WorstInput } from "./worst-input.ts";

const id = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => id(n));

/** Returns the worst requests for the administration of a team. */
export function teamInputs(subjects: Subjects): WorstInput[] {
  const { collectionId, treeTagId, webhookId, groupId, userId, apiKeyId, channelId, largeDocumentId } = subjects;
  const post = (operation: string, title: string, fields: () => object): WorstInput => ({
    operation,
    title,
    body: json(fields),
  });
  const levels = (count: number): object => Object.fromEntries(ids(count).map((key) => [key, "read"]));
  return [
    post("tags.create", "a name that normalization lengthens to 18,000 characters", () => ({
      name: "\ufdfa".repeat(1_000),
    })),
    post("tags.create", "a name of 1.6 million characters", () => ({ name: "a".repeat(1_600_000) })),
    post("tags.restrict", "1,000 users", () => ({ name: "worst", userIds: ids(1_000) })),
    post("tags.update", "the name of a tag of 4,000 documents", () => ({ id: treeTagId, name: "renamed" })),
    post("documents.restrictedTags.set", "50 tags", () => ({ id: largeDocumentId, tagIds: ids(50) })),
    post("apiKeys.create", "restrictions to 5,000 collections and documents", () => ({
      name: "worst",
      scopes: ["read"],
      restrictions: { collections: levels(2_500), documents: levels(2_500) },
    })),
    post("apiKeys.update", "restrictions to 5,000 collections and documents", () => ({
      id: apiKeyId,
      restrictions: { collections: levels(2_500), documents: levels(2_500) },
    })),
    post("webhooks.create", "an address of 2,048 characters and every event 10,000 times", () => ({
      url: `https://example.com/${"a".repeat(2_028)}`,
      events: Array.from({ length: 10_000 }, () => "document.*"),
    })),
    post("webhooks.update", "100 collections", () => ({ id: webhookId, collectionIds: ids(100) })),
    post("channels.update", "10,000 collections", () => ({ id: channelId, collectionIds: ids(10_000) })),
    post("groups.update", "10,000 capabilities", () => ({
      id: groupId,
      capabilities: Array.from({ length: 10_000 }, () => "document.read"),
    })),
    post("invitations.create", "100 addresses to 100 groups", () => ({
      emails: Array.from({ length: 100 }, (_, n) => `person-${n}@example.org`),
      groupIds: ids(100),
    })),
    post("users.groups", "1,000 groups", () => ({ id: userId, groupIds: ids(1_000) })),
    post("users.list", "a search for 490 characters", () => ({ query: "a%_".repeat(163) })),
    post("collections.grants.candidates", "a search for 490 characters", () => ({
      id: collectionId,
      query: "a%_".repeat(163),
    })),
    post("auth.changePassword", "passwords of 1,024 characters", () => ({
      currentPassword: "a".repeat(1_024),
      newPassword: "b".repeat(1_024),
    })),
    post("auth.secondFactor.start", "a password of 1,024 characters", () => ({ proof: "a".repeat(1_024) })),
    post("auth.prove", "a password of 1,024 characters", () => ({ proof: "a".repeat(1_024) })),
    post("users.resetPassword", "a password of 1,024 characters", () => ({ id: id(1), password: "a".repeat(1_024) })),
  ];
}

/** Returns the requests that end what others are about, so that they are sent last. */
export function finalInputs({ treeCollectionId, treeRootId, treeTagId }: Subjects): WorstInput[] {
  const post = (operation: string, title: string, fields: object): WorstInput => ({
    operation,
    title,
    body: json(() => fields),
  });
  return [
    { operation: "documents.delete", title: "a tree of 4,000 documents", path: { id: treeRootId } },
    post("documents.destroy", "the root of 4,000 documents in the trash", { id: treeRootId }),
    post("tags.delete", "a tag of 4,000 documents", { id: treeTagId }),
    post("collections.delete", "a collection of 4,000 documents", { id: treeCollectionId }),
    post("trash.empty", "4,000 documents", {}),
    {
      operation: "documents.create",
      title: "40 bodies of 4.9 MB of spaces at once",
      copies: 40,
      isOnlyLong: true,
      body: () => " ".repeat(longestJson),
    },
  ];
}
