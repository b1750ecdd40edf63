/** Words of the page about the team. */
export const team = {
  title: "Team",
  name: "Name of the team",
  nameHelp: "It stands at the top of every page, and everybody sees it.",
  save: "Save",
  since: "Exists since",
};
