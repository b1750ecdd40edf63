import { isolated } from "../../isolated.ts";
import { plural } from "../../plural.ts";

const count = plural("en");

/** Words of the page about tags. */
export const tags = {
  title: "Tags",
  help: "Everybody sees a tag on the documents that they may read. A restricted tag is seen only by the people on its list.",
  create: "New tag",
  createRestricted: "New restricted tag",
  open: "Tags of the team",
  openEmpty: "No tags yet. They are made when somebody adds one to a document.",
  restricted: "Restricted tags",
  restrictedEmpty: "No restricted tags.",
  documents: (n: number) => count(n, { one: "# document", other: "# documents" }),
  seenBy: (names: string) => `Seen by ${names}`,
  edit: "Edit",
  editOf: (name: string) => `Edit ${isolated(name)}`,
  editTitle: (name: string) => `Edit ${isolated(name)}`,
  remove: "Delete",
  removeOf: (name: string) => `Delete ${isolated(name)}`,
  removeTitle: (name: string) => `Delete ${isolated(name)}?`,
  removeText: (n: number) =>
    `It leaves ${count(n, { one: "# document", other: "# documents" })}; the documents stay. A channel that uses it shows less, never more.`,
  tagRemoved: (name: string) => `${isolated(name)} is deleted.`,
  newTitle: "New tag",
  newRestrictedTitle: "New restricted tag",
  name: "Name",
  nameHelp: "Documents that show it get a new revision when it changes.",
  color: "Color",
  noColor: "Without a color",
  save: "Save",
  submit: "Create tag",
  tagSaved: (name: string) => `${isolated(name)} is saved.`,
  groups: "Groups that see it",
  people: "People who see it",
  peopleHelp: "Type a name to find somebody.",
  findPerson: "Find a person",
  nobodyFound: "Nobody of that name.",
  removePerson: (name: string) => `Remove ${isolated(name)}`,
};
