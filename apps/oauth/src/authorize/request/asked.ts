import type { Client } from "../../clients/client.ts";
import type { Parameters } from "../../parameters/read-parameters.ts";

/** A request whose client and whose way back are known: what is wrong with it from here on, the app is told. */
export type Asked = {
  readonly parameters: Parameters;
  /** The parameters as they came, in a normal form. */
  readonly query: string;
  readonly appUrl: string;
  readonly client: Client;
  readonly redirectUri: string;
};

/** One clause of what a request must be. @throws {OauthError} that the app is told. */
export type Check = (asked: Asked) => void;
