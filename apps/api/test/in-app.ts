import type { Person } from "@kb/core/testing";
import type { Failure, Reply } from "@kb/http/testing";
import type { Setting } from "./setting.ts";

/** Somebody who is logged in: asks by the name of the operation. */
export type AppCall = <Body = Failure>(name: string, input?: object) => Promise<Reply<Body>>;

/** Logs somebody in. */
export async function inApp(setting: Pick<Setting, "as" | "world">, person: Person): Promise<AppCall> {
  const client = setting.as(await setting.world.session(person));
  return (name, input = {}) => client.post(`/api/${name}`, input);
}
