import { type ReactElement, useState } from "react";
import { initialsOf } from "./initials.ts";
import { pictureAddress } from "./picture-address.ts";

type FaceProps = {
  readonly userId: string;
  readonly name: string;
  /** The version of their picture; null or undefined without one. */
  readonly picture: string | null | undefined;
  /** One of the twelve colors of people who write. */
  readonly color?: number;
};

/**
 * The picture of a person, or their initials, which the style sheet writes: they are no words of a button around it. The name
 * stands beside it, so it says nothing to screen readers.
 */
export function Face({ userId, name, picture, color }: FaceProps): ReactElement {
  const [failed, setFailed] = useState<string>();
  const isShown = picture !== null && picture !== undefined && picture !== failed;
  return (
    <span className="face" data-color={color} data-initials={isShown ? undefined : initialsOf(name)} aria-hidden="true">
      {isShown && (
        <img src={pictureAddress(userId, picture)} alt="" decoding="async" onError={() => setFailed(picture)} />
      )}
    </span>
  );
}
