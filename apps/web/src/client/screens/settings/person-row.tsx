import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { bootQuery } from "../../api/queries.ts";
import { boot } from "../../app/boot.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { Face } from "../../parts/face.tsx";
import { useAct } from "./use-act.ts";

/** A user of the team, as those who manage people see them. */
export type Person = OutputOf<"users.list">["data"][number];

/** What may be done with somebody in a dialog. */
export type PersonAction = "edit" | "password" | "factor" | "picture" | "suspend";

type PersonRowProps = {
  readonly person: Person;
  /** The version of their picture. */
  readonly picture: string | undefined;
  readonly onOpen: (name: PersonAction) => void;
};

/** A person of the team with what may be done: nobody suspends themselves, or sets their own password here. */
export function PersonRow({ person, picture, onOpen }: PersonRowProps): ReactElement {
  const { people: words, picture: pictureWords } = settingsWords;
  const { user } = useQuery(bootQuery).data;
  const act = useAct();
  const unsuspend = useChange("users.unsuspend");
  const { id, name, email, groups, systemAdmin, hasSecondFactor, suspendedAt } = person;
  const isYourself = id === user.id;
  const letIn = (): void => act(() => unsuspend.mutateAsync({ id }), words.personBack(name));
  const button = (label: string, described: string, run: () => void): ReactElement => (
    <button type="button" className="button" aria-label={described} onClick={run}>
      {label}
    </button>
  );
  return (
    <li>
      <div className="row-text">
        <span className="row-title">
          <Face userId={id} name={name} picture={picture} /> <span dir="auto">{name}</span>{" "}
          {isYourself && <span className="tag">{words.yourself}</span>}{" "}
          {systemAdmin && <span className="tag">{words.systemAdmin}</span>}{" "}
          {hasSecondFactor && <span className="tag">{words.hasFactor}</span>}{" "}
          {suspendedAt !== null && <span className="tag alarm">{words.suspended}</span>}
        </span>
        <span className="row-detail facts">
          <span dir="ltr">{email}</span>
          {groups.length === 0 ? (
            <span>{words.withoutGroup}</span>
          ) : (
            groups.map((group) => (
              <span key={group.id} dir="auto">
                {group.name}
              </span>
            ))
          )}
        </span>
      </div>
      <div className="row-actions">
        {button(words.edit, words.editOf(name), () => onOpen("edit"))}
        {!isYourself &&
          boot().app.passwordLogIn &&
          button(words.newPassword, words.newPasswordOf(name), () => onOpen("password"))}
        {!isYourself && hasSecondFactor && button(words.resetFactor, words.resetFactorOf(name), () => onOpen("factor"))}
        {!isYourself &&
          picture !== undefined &&
          button(pictureWords.remove, pictureWords.removeOf(name), () => onOpen("picture"))}
        {!isYourself &&
          (suspendedAt === null
            ? button(words.suspend, words.suspendOf(name), () => onOpen("suspend"))
            : button(words.unsuspend, words.unsuspendOf(name), letIn))}
      </div>
    </li>
  );
}
