/** Characters up to which work on a body stays on the event loop, where it takes a few milliseconds: a thread costs about one more. */
export const maxOnEventLoop = 20_000;
