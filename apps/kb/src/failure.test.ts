import { admin, invalid, ServiceError } from "@kb/core";
import { connect } from "@kb/db";
import { describe, expect, it } from "vitest";
import { CommandError, describeFailure } from "./failure.ts";

describe("the error message of a failed command", () => {
  it("names the option with the invalid value", () => {
    const told = (path: string): string => describeFailure(invalid(path, "Is wrong")).error;
    expect(told("adminEmail")).toBe("--admin-email: Is wrong");
    expect(told("name")).toBe("--name: Is wrong");
    expect(told("expiresAt")).toBe("--expires: Is wrong");
    expect(told("scopes.0")).toBe("--scopes, value 1: Is wrong");
    expect(told("emails.2")).toBe("--email, value 3: Is wrong");
    expect(told("restrictions.collections.x")).toBe("--restrict: collections.x: Is wrong");
  });

  it("passes every other error message on unchanged", () => {
    expect(describeFailure(new ServiceError("conflict", "Taken."))).toEqual({ error: "Taken.", code: "conflict" });
    expect(describeFailure(new CommandError("usage", "Say it so."))).toEqual({ error: "Say it so.", code: "usage" });
    const whole = new ServiceError("validation_error", "Nothing to do.");
    expect(describeFailure(whole).error).toBe("Nothing to do.");
  });

  it("an invalid e-mail address is reported before the database is queried", async () => {
    const database = connect({ url: "postgresql://nobody@127.0.0.1:1/nowhere" });
    const service = { database, clock: { now: () => new Date(0) }, appUrl: "http://localhost" };
    const input = { name: "Ours", adminEmail: "bad" };
    const failure = await admin.createTeam(service, input).catch(describeFailure);
    await database.close();
    expect(failure).toEqual({ error: "--admin-email: Must be an e-mail address", code: "validation_error" });
  });
});
