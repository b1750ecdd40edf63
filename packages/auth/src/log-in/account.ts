/** The account that a log-in is for. */
export type Account = { readonly teamId: string; readonly userId: string };

/** A session that was just started; its token is stored nowhere. */
export type NewLogInSession = { readonly id: string; readonly token: string };
