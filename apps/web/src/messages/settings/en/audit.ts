/** Words of the audit log. */
export const audit = {
  title: "Audit log",
  help: "Every change, refused call, login and grant of the last 365 days, newest first.",
  download: "Download as CSV",
  action: "Action",
  actionHelp: "For example documents.update",
  outcome: "Outcome",
  outcomes: {
    all: "All",
    success: "Done",
    denied: "Refused",
    not_found: "Not found",
    failed: "Failed",
  },
  since: "From",
  until: "Until",
  apply: "Apply",
  clear: "Clear",
  table: "Entries",
  nobody: "Nobody",
  empty: "No entry matches. Change the filters.",
};
