/** Words that ask somebody to confirm that it is them. */
export const proof = {
  title: "Confirm that it is you",
  text: "Keys, people and access are changed only after a fresh confirmation. It counts for 15 minutes.",
  confirm: "Confirm",
  logIn: "You have no password here: log in again in a new tab. What you were doing continues when you come back.",
  orLogIn: "You can also log in again in a new tab, and then come back here.",
};
