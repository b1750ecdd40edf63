import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { said } from "./samples.ts";

/** Signs the state that a client sends back. All instances share the key. */
export const requestState = createRequestStateCodec<{ readonly step: number }>({
  key: "a key of the fixture alone, the same on each instance",
});

const question = (message: string, name: string): InputRequest => {
  const properties = { [name]: { type: "string" as const } };
  return inputRequired.elicit({ message, requestedSchema: { type: "object", properties, required: [name] } });
};

const confirmation = inputRequired.elicit({
  message: "Please confirm",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
});

const sampling = (prompt: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: prompt } }], maxTokens });

type Answer = ReturnType<typeof said> | ReturnType<typeof inputRequired>;

/** Adds tools that return the input they still need, as the revision without sessions requires. */
export function addRoundTripTools(server: McpServer): void {
  const tool = (name: string, run: (context: ServerContext) => Answer | Promise<Answer>): void => {
    server.registerTool(name, { description: `Asked for by the suite: ${name}` }, async (context) => run(context));
  };
  tool("test_input_required_result_elicitation", ({ mcpReq }) => {
    const name = acceptedContent(mcpReq.inputResponses, "user_name")?.name;
    if (typeof name === "string") return said(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: question("What is your name?", "name") } });
  });
  tool("test_input_required_result_sampling", ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "capital_question");
    if (answer.kind === "sampling") return said(`The model said: ${JSON.stringify(answer.result.content)}`);
    return inputRequired({ inputRequests: { capital_question: sampling("What is the capital of France?", 100) } });
  });
  tool("test_input_required_result_list_roots", ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "client_roots");
    if (answer.kind === "roots") return said(`Roots: ${answer.roots.map(({ uri }) => uri).join(", ")}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  tool("test_input_required_result_request_state", confirmed("state-ok"));
  tool("test_input_required_result_tampered_state", confirmed("The state is whole."));
  tool("test_input_required_result_multiple_inputs", several);
  tool("test_input_required_result_multi_round", rounds);
  tool("test_input_required_result_capabilities", () => {
    const able = server.server.getClientCapabilities();
    const inputRequests = {
      ...(able?.elicitation === undefined ? {} : { name: question("What is your name?", "name") }),
      ...(able?.sampling === undefined ? {} : { greeting: sampling("Generate a greeting", 50) }),
      ...(able?.roots === undefined ? {} : { roots: inputRequired.listRoots() }),
    };
    return Object.keys(inputRequests).length === 0 ? said("Nothing can be asked.") : inputRequired({ inputRequests });
  });
  // The SDK rejects requests for capabilities that the client did not declare.
  tool("test_missing_capability", () => inputRequired({ inputRequests: { answer: sampling("Anything", 10) } }));
  tool("test_streaming_elicitation", ({ mcpReq }) => {
    const name = acceptedContent(mcpReq.inputResponses, "name")?.name;
    if (typeof name === "string") return said(name);
    return inputRequired({ inputRequests: { name: question("What is your name?", "name") } });
  });
}

const confirmed =
  (reply: string) =>
  async ({ mcpReq }: ServerContext): Promise<Answer> => {
    const state = mcpReq.requestState<{ step: number }>();
    if (state?.step === 1 && acceptedContent(mcpReq.inputResponses, "confirm") !== undefined) return said(reply);
    return inputRequired({
      inputRequests: { confirm: confirmation },
      requestState: await requestState.mint({ step: 1 }),
    });
  };

async function several({ mcpReq }: ServerContext): Promise<Answer> {
  const missing = ["user_name", "greeting", "client_roots"].filter(
    (key) => inputResponse(mcpReq.inputResponses, key).kind === "missing",
  );
  if (missing.length === 0) return said("All three answers have come.");
  return inputRequired({
    inputRequests: {
      user_name: question("What is your name?", "name"),
      greeting: sampling("Generate a greeting", 50),
      client_roots: inputRequired.listRoots(),
    },
    requestState: await requestState.mint({ step: 1 }),
  });
}

async function rounds({ mcpReq }: ServerContext): Promise<Answer> {
  const step = mcpReq.requestState<{ step: number }>()?.step ?? 0;
  const answered = (key: string): boolean => acceptedContent(mcpReq.inputResponses, key) !== undefined;
  if (step === 2 && answered("step2")) return said("Both steps are done.");
  if (step >= 1 && (step === 2 || answered("step1"))) {
    return inputRequired({
      inputRequests: { step2: question("Step 2: What is your favorite color?", "color") },
      requestState: await requestState.mint({ step: 2 }),
    });
  }
  return inputRequired({
    inputRequests: { step1: question("Step 1: What is your name?", "name") },
    requestState: await requestState.mint({ step: 1 }),
  });
}
