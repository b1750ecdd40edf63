import { caseOf } from "../testing/operation-case.ts";
import { archiveCollection, unarchiveCollection } from "./archive.ts";

export const archiveCollectionCase = caseOf(archiveCollection, {
  access: "AKKKKKKK S+++ NF+NF++ KK ++FF+N N+ KK",
  input: async (scene) => {
    await scene.archiveCollection(false);
    return { id: scene.collectionId };
  },
  statements: 12,
});

export const unarchiveCollectionCase = caseOf(unarchiveCollection, {
  access: "AKKKKKKK S+++ NF+NF++ KK ++FF+N N+ KK",
  input: async (scene) => {
    await scene.archiveCollection(true);
    return { id: scene.collectionId };
  },
  statements: 12,
});
