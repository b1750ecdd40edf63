import { section } from "./section.ts";

/** The failures of live editing: after each, what people see and what is kept. */
export const liveFailures = section("Failures of live editing", {
  "live.failure.instance-killed":
    "An instance is killed: everything acknowledged is kept, and the rest is sent to another instance, each batch once",
  "live.failure.database-killed":
    "PostgreSQL is killed: everything acknowledged is kept, and the rest is sent again until it is back, each batch once",
  "live.failure.all-killed":
    "All processes are killed with unsaved text: the next reader by id finds it, and the worker saves it if nobody reads",
  "live.failure.asleep": "A laptop that wakes up catches up within a second, with its stream or without",
  "live.failure.offline":
    "Somebody offline sees how many changes wait; they are sent later, or merged if the log has ended",
  "live.failure.write-revoked":
    "Somebody whose right to write ends can only read, is told so at once, and keeps the text that was not accepted",
  "live.failure.read-revoked":
    "Somebody whose right to read ends is told that there is nothing, and keeps the text on the screen",
  "live.failure.same-place": "Text that is inserted where somebody else deletes stays",
  "live.failure.deleted-block": "Text that is typed in a block that was deleted before is kept for its author",
  "live.failure.two-structures":
    "Of two changes of structure in one place the later one is not applied, and no text changes",
  "live.failure.undone-paste":
    "Undo of a pasted block removes what others wrote in it, as in most editors; the log keeps it",
  "live.failure.replaced": "Text that an assistant replaces while people type is kept in a revision from just before",
  "live.failure.buffered": "Behind a proxy that buffers streams, changes by others arrive late, and saving goes on",
  "live.failure.refused": "After a step that is refused the document is opened again, and the text is kept",
});
