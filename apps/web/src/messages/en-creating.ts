import { isolated } from "./isolated.ts";

/** The words for creating a document and for its place, in English. */
export const enCreating = {
  // Places
  createPrompt: "Where? Find a collection or a document",
  places: "Places",
  recentPlaces: "Last used",
  noPlace: "There is no collection in which you may write. Ask an administrator for access.",
  noPlaceFound: "No place of that name.",

  // The page of a new document
  newTitle: "Title (optional)",
  newPlace: "Where",
  newUnchosen: "No place chosen yet",
  newChoose: "Choose a place",
  newChooseOther: "Choose another place",
  newCreate: "Create document",
  newAbsent: "The place in this link was not found, or you don’t have access to it. Choose another one.",
  /** Why nothing can be created in a place that the reader sees. */
  newClosed: {
    archived: (name: string) =>
      `${isolated(name)} is archived, so no documents can be created in it. Choose another place.`,
    trashed: (name: string) =>
      `${isolated(name)} is in the trash, so no documents can be created in it. Choose another place.`,
    readOnly: (name: string) => `You can’t create documents in ${isolated(name)}. Choose another place.`,
  },
  newNeedsScript: "To create a document here, switch on JavaScript in your browser and load the page again.",
};
