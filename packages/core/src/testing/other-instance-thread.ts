import { parentPort, workerData } from "node:worker_threads";
import { connect } from "@kb/db";
import { asServiceError } from "../as-service-error.ts";
import { invoke } from "../invoke.ts";
import { operationNamed } from "./matrix/invoke-operation.ts";
import type { InstanceCall, InstanceReply } from "./other-instance.ts";

// A thread has modules of its own, and so its own queue of the writers of a document, pool of connections and threads.
const database = connect({ url: workerData.url, applicationName: "kb-other", poolMax: 5 });
const service = { database, clock: { now: () => new Date() }, appUrl: workerData.appUrl };

parentPort?.on("message", async (call: InstanceCall | "close") => {
  if (call === "close") {
    await database.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(await replyTo(call));
});

async function replyTo({ id, name, actor, input }: InstanceCall): Promise<InstanceReply> {
  try {
    return { id, answer: await invoke(service, operationNamed(name), actor, input) };
  } catch (error) {
    const { code, message } = asServiceError(error);
    return { id, error: { code, message } };
  }
}
