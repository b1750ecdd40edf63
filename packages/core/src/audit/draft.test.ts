import { newId } from "@kb/db";
import { describe, expect, it } from "vitest";
import { AuditDraft } from "./draft.ts";

const id = newId();
const other = newId();

describe("what the audit log says of a change", () => {
  it("is about the thing that the call names, else about what came of it", {
    meta: { proves: ["decision.audit.changes"] },
  }, () => {
    const target = (operation: string, input: object, output: object) =>
      new AuditDraft(operation, input).finish(output)?.target;
    expect(target("documents.update", { id, title: "x" }, { id: other })).toEqual({ type: "document", id });
    expect(target("apiKeys.create", { name: "x" }, { id, key: "kb_x" })).toEqual({ type: "api_key", id });
    expect(target("tags.create", { name: "x" }, { tag: { id }, created: true })).toEqual({ type: "tag", id });
    expect(target("things.do", {}, { done: true })).toBeUndefined();
  });

  it("tells names of fields, ids, switches and words of ours, and nothing that somebody wrote", {
    meta: { proves: ["decision.audit.no-secrets"] },
  }, () => {
    const input = {
      id,
      title: "Salaries",
      text: "secret",
      password: "secret",
      name: undefined,
      count: 3,
      at: new Date(),
      userId: other,
      groupIds: [id, other],
      mcpEnabled: false,
      level: "manage",
      scopes: ["read", "write"],
      tags: ["secret"],
      nested: { level: "secret" },
      mixed: [id, "secret"],
    };
    expect(new AuditDraft("things.update", input).finish({})?.details).toEqual({
      fields: [
        "title",
        "text",
        "password",
        "count",
        "at",
        "userId",
        "groupIds",
        "mcpEnabled",
        "level",
        "scopes",
        "tags",
        "nested",
        "mixed",
      ],
      userId: other,
      groupIds: [id, other],
      mcpEnabled: false,
      level: "manage",
      scopes: ["read", "write"],
    });
  });

  it("an operation adds what it knows better, and says when nothing was changed", {
    meta: { proves: ["decision.audit.changes"] },
  }, () => {
    const draft = new AuditDraft("trash.empty", {});
    draft.setTarget("team", id);
    draft.addDetails({ destroyed: 3 });
    expect(draft.finish({})).toEqual({ target: { type: "team", id }, details: { destroyed: 3 } });
    draft.unchanged();
    expect(draft.finish({})).toBeNull();
  });
});
