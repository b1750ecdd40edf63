/** The channel on which every committed change is announced; the payload is the id of its team. */
export const changeChannel = "kb_changes";
