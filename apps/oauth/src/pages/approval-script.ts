/**
 * The script of the page that waits for an approval: it asks for the page again, every ten seconds for an hour while the page
 * is in sight, and says what was decided. It is written without names that a build could change, because the policy names its
 * hash. Without it, the link on the page asks.
 */
export const approvalScript = `"use strict";
const waiting = document.querySelector("[data-approved]");
let asked = 0;
const say = (text, link) => { waiting.textContent = text; document.title = text; document.getElementById("again").textContent = link; };
const look = async () => {
  if (document.hidden) return void setTimeout(look, 10000);
  const answer = await fetch(location.href, { redirect: "manual" }).catch(() => null);
  if (answer !== null && answer.status === 200) return say(waiting.dataset.approved, waiting.dataset.connect);
  if (answer !== null && answer.status === 403 && !(await answer.text()).includes("data-approved=")) return say(waiting.dataset.refused, waiting.dataset.again);
  asked += 1;
  if (asked < 360) setTimeout(look, 10000);
};
setTimeout(look, 10000);
`;
