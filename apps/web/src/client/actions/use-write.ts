import { useNavigate, useRouter } from "@tanstack/react-router";
import { showKeysAhead } from "../app/keys-ahead.ts";
import { keepPlace } from "../reading/kept-place.ts";

/** Returns a function that opens a document for writing. */
export function useWrite(): (documentId: string) => Promise<void> {
  const navigate = useNavigate();
  const router = useRouter();
  return (documentId) => {
    if (location.pathname.startsWith(`/documents/${documentId}`)) {
      keepPlace(documentId, document.querySelector("#main article"));
    }
    const end = router.subscribe("onRendered", () => {
      end();
      showKeysAhead(documentId);
    });
    return navigate({ to: "/documents/$documentId", params: { documentId }, search: { edit: true } });
  };
}
