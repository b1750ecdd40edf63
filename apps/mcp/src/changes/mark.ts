/**
 * The position of a stream among its team's events, as one number. After the event with sequence `s`, everything up to
 * `2s` was sent; at `2s - 1` the update of the resource was sent, but not yet the change of the list.
 */
export type Mark = number;

export const afterUpdate = ({ sequence }: { readonly sequence: number }): Mark => 2 * sequence - 1;
export const afterEvent = (sequence: number): Mark => 2 * sequence;
/** Returns the last event that was sent completely. */
export const sequenceAt = (mark: Mark): number => Math.floor(mark / 2);
