import { useNavigate, useRouter } from "@tanstack/react-router";
import { showKeysAhead } from "../app/keys-ahead.ts";

/** Returns a function that opens a document for writing. */
export function useWrite(): (documentId: string) => Promise<void> {
  const navigate = useNavigate();
  const router = useRouter();
  return (documentId) => {
    const end = router.subscribe("onRendered", () => {
      end();
      showKeysAhead(documentId);
    });
    return navigate({ to: "/documents/$documentId", params: { documentId }, search: { edit: true } });
  };
}
