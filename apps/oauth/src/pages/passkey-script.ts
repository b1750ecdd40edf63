/**
 * The one script of these pages: asks the browser for a passkey, and sends its answer with the form. It is written without names
 * that a build could change, because the policy names its hash. Without it, the pages offer other ways.
 */
export const passkeyScript = `"use strict";
const form = document.querySelector("form[data-passkey]");
const show = (id, isShown) => { const found = document.getElementById(id); if (found !== null) found.hidden = !isShown; };
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
const toText = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const options = JSON.parse(form.dataset.passkey);
options.challenge = toBytes(options.challenge);
for (const each of options.allowCredentials) each.id = toBytes(each.id);
const ask = async () => {
  show("passkey-problem", false);
  try {
    const { id, response } = await navigator.credentials.get({ publicKey: options });
    const answer = { id };
    for (const part of ["clientDataJSON", "authenticatorData", "signature"]) answer[part] = toText(response[part]);
    if (response.userHandle && response.userHandle.byteLength > 0) answer.userHandle = toText(response.userHandle);
    form.elements.credential.value = JSON.stringify(answer);
    form.submit();
  } catch {
    show("passkey-problem", true);
  }
};
show("without-script", false);
if (window.PublicKeyCredential === undefined) {
  show("passkey-unsupported", true);
} else {
  form.hidden = false;
  form.addEventListener("submit", (event) => { event.preventDefault(); void ask(); });
  if (form.dataset.start === "now") void ask();
}
`;
