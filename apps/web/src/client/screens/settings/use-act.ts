import { failureText } from "../../actions/failure-text.ts";
import { notify } from "../../app/notices.ts";
import { useWords } from "../../app/words.tsx";

/** Returns a function that does something at once, and says in a notice that it is done, or why it is not. */
export function useAct(): (run: () => Promise<unknown>, done: string) => void {
  const { messages } = useWords();
  return (run, done) => {
    run().then(
      () => notify({ text: done }),
      (error: unknown) => notify({ text: failureText(error, messages), isFailure: true }),
    );
  };
}
