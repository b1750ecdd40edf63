/** The time from a change until it is sent, unless a batch is on the way; and the least time between two batches. */
export const sendMs = 150;
/** The time after an answer in which the stream brings the accepted batch. */
export const streamMs = 1_000;
/** Changes by others wait for an input method at most this long. */
export const holdMs = 3_000;
/** A session that is closed waits this long for the service, which keeps batches waiting for up to 10 seconds. */
export const closeMs = 12_000;
/** The time from a change until it is on the device. */
export const keepMs = 100;
/** A batch waits for the device at most this long before it is sent. */
export const patienceMs = 1_000;
/** Changes by others are taken up at most this long after they arrive: a quick typist presses the next key before. */
export const takeMs = 60;
