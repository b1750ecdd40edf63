import { ServiceError } from "@kb/core";

/** Ends work whose client has disconnected. Nobody receives its answer. */
export class ClientGone extends ServiceError {
  constructor() {
    super("unavailable", "The client has disconnected.");
  }
}
