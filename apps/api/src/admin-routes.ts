import { operations } from "@kb/core";
import { type Row, route } from "@kb/http";
import { rpcNotes } from "./rpc-notes.ts";

/** Lists the rows by which programs of admins manage users, groups and keys, with API keys of scope `admin`. */
export function adminRoutes(): Row[] {
  const list = { body: "output" } as const;
  // The answer contains a secret that is not stored, so it cannot be repeated.
  const secret = { status: 201, idempotencyKey: false } as const;
  const people = { section: "People" } as const;
  const groups = { section: "Groups" } as const;
  const keys = { section: "API keys" } as const;
  return [
    route("get", "/api/v1/users", operations.listUsersByKey, {
      ...people,
      ...list,
      notes: rpcNotes.listUsers,
      exampleQuery: "query=ada&limit=10",
    }),
    route("post", "/api/v1/users", operations.createUserByKey, {
      ...people,
      ...secret,
      errors: ["conflict"],
      notes: rpcNotes.inviteUser,
      example: { email: "grace@example.org", name: "Grace" },
    }),
    route("get", "/api/v1/groups", operations.listGroupsByKey, { ...groups, ...list, notes: rpcNotes.page }),
    route("post", "/api/v1/groups", operations.createGroupByKey, {
      ...groups,
      status: 201,
      errors: ["conflict"],
      notes: rpcNotes.group,
      example: { name: "Mirrors", capabilities: ["document.read", "document.publish"] },
    }),
    route("get", "/api/v1/api-keys", operations.listApiKeysByKey, { ...keys, ...list, notes: rpcNotes.listApiKeys }),
    route("post", "/api/v1/api-keys", operations.createApiKeyByKey, {
      ...keys,
      ...secret,
      errors: ["not_found", "conflict"],
      notes: rpcNotes.createApiKey,
      example: { name: "Mirror", scopes: ["read"] },
    }),
  ];
}
