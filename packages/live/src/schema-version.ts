/**
 * The number of the codec's schema. It rises with every node, mark or attribute, so that a client that knows less or more than the
 * server is told to reload instead of losing what it does not know.
 */
export const schemaVersion = 1;
