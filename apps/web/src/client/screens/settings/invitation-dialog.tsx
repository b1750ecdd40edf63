import type { ReactElement } from "react";
import { useChange } from "../../api/change.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { SecretDialog } from "../../parts/form/secret-dialog.tsx";
import type { Invitation } from "./invitation-list.tsx";
import { InviteDialog, type Invited } from "./invite-dialog.tsx";

/** A link that was not mailed, and the address of the person to hand it to. */
type HandedLink = { readonly email: string; readonly link: string };

/** A dialog about invitations; `links` shows those that were just made and not mailed. */
export type InvitationLayer =
  | { readonly name: "invite" }
  | { readonly name: "resend" | "revoke"; readonly invitation: Invitation }
  | { readonly name: "links"; readonly links: readonly HandedLink[]; readonly text: string };

type InvitationDialogProps = {
  readonly layer: InvitationLayer;
  readonly onLayer: (layer: InvitationLayer | undefined) => void;
};

/** The open dialog about invitations. */
export function InvitationDialog({ layer, onLayer }: InvitationDialogProps): ReactElement {
  const { invitations: words } = settingsWords;
  const resend = useChange("invitations.resend");
  const revoke = useChange("invitations.revoke");
  const close = (): void => onLayer(undefined);
  const show = ({ invitations, members }: Invited, mailed: string): void => {
    const links = invitations.flatMap(({ email, link }) => (link === null ? [] : [{ email, link }]));
    const sentences = [
      ...(links.length > 0 ? [words.handOver] : invitations.length > 0 ? [mailed] : []),
      ...(members.length > 0 ? [words.members(members.join(", "))] : []),
    ];
    if (links.length === 0) notify({ text: sentences.join(" ") });
    onLayer(links.length === 0 ? undefined : { name: "links", links, text: sentences.join(" ") });
  };
  if (layer.name === "invite") {
    return <InviteDialog onDone={(made) => show(made, words.mailed(made.invitations.length))} onClose={close} />;
  }
  if (layer.name === "links") return <LinkDialog links={layer.links} text={layer.text} onClose={close} />;
  const { id, email } = layer.invitation;
  if (layer.name === "resend") {
    return (
      <ConfirmAction
        title={words.resendTitle(email)}
        text={words.resendText}
        action={words.resend}
        run={() => resend.mutateAsync({ id })}
        onDone={(sent) => show({ invitations: [sent], members: [] }, words.resent(email))}
        onClose={close}
      />
    );
  }
  return (
    <ConfirmAction
      title={words.revokeTitle(email)}
      text={words.revokeText}
      action={words.revoke}
      run={async () => {
        await revoke.mutateAsync({ id });
        notify({ text: words.revoked(email) });
      }}
      onClose={close}
    />
  );
}

type LinkDialogProps = {
  readonly links: readonly HandedLink[];
  readonly text: string;
  readonly onClose: () => void;
};

/** Shows one link by itself, several as lines with their addresses, so that one copy takes all. */
function LinkDialog({ links, text, onClose }: LinkDialogProps): ReactElement {
  const { invitations: words } = settingsWords;
  const [first, ...others] = links;
  const isOne = first !== undefined && others.length === 0;
  return (
    <SecretDialog
      title={isOne ? words.linkOf(first.email) : words.links}
      text={text}
      label={isOne ? words.link : words.links}
      secret={isOne ? first.link : links.map(({ email, link }) => `${email} ${link}`).join("\n")}
      onClose={onClose}
    />
  );
}
