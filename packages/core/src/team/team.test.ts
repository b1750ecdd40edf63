import { addPerson, outcomeOf, type Person, sessionCallerOf } from "@kb/core/testing";
import { newId } from "@kb/db";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const admin = await sessionCallerOf(world, world.people.admin);

const addPersonWith = async (capability: string): Promise<Person> => {
  const { name } = await admin.run(operations.createGroup, { name: newId(), capabilities: [capability] });
  return addPerson(world, name);
};

describe("the team", () => {
  it("is shown to everybody in it, and renamed by those who may", async () => {
    const viewer = await sessionCallerOf(world, world.people.viewer);
    expect(await viewer.run(operations.getTeam)).toMatchObject({ id: world.teamId, mcpEnabled: false });
    expect((await admin.run(operations.updateTeam, { name: "  Ours  " })).name).toBe("Ours");
    expect((await viewer.run(operations.getTeam)).name).toBe("Ours");
    for (const input of [{ name: "" }, { id: world.teamId }]) {
      expect(await outcomeOf(admin.run(operations.updateTeam, input))).toBe("validation_error");
    }
  });

  it("developer.mcp is needed to switch MCP, and settings.team_edit to rename the team", async () => {
    const switcher = await sessionCallerOf(world, await addPersonWith("developer.mcp"));
    const renamer = await sessionCallerOf(world, await addPersonWith("settings.team_edit"));
    const editor = await sessionCallerOf(world, world.people.editor);
    const outcomes = (input: object) =>
      Promise.all([switcher, renamer, editor].map((caller) => outcomeOf(caller.run(operations.updateTeam, input))));
    expect(await outcomes({ mcpEnabled: true })).toEqual(["done", "forbidden", "forbidden"]);
    expect(await outcomes({ name: "Renamed" })).toEqual(["forbidden", "done", "forbidden"]);
    expect(await outcomes({ name: "Both", mcpEnabled: false })).toEqual(["forbidden", "forbidden", "forbidden"]);
    expect((await admin.run(operations.getTeam)).mcpEnabled).toBe(true);
  });

  it("switching MCP off ends the grants of connected apps", async () => {
    const { client } = test.database;
    const { teamId, people } = world;
    await client.oauthClient.create({ data: { id: "switched", metadata: {}, kind: "dynamic" } });
    const id = newId();
    await client.oauthGrant.create({
      data: {
        teamId,
        id,
        userId: people.editor.id,
        clientId: "switched",
        scopes: ["read"],
        resource: "x",
        expiresAt: new Date(),
      },
    });
    await admin.run(operations.updateTeam, { mcpEnabled: true });
    const grant = () => client.oauthGrant.findUniqueOrThrow({ where: { teamId_id: { teamId, id } } });
    expect((await grant()).revokedAt).toBeNull();
    await admin.run(operations.updateTeam, { mcpEnabled: false });
    expect((await grant()).revokedAt).not.toBeNull();
  });
});
