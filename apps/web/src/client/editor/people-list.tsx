import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { usePictures } from "../api/use-pictures.ts";
import { boot } from "../app/boot.ts";
import { useWords } from "../app/words.tsx";
import { Face } from "../parts/face.tsx";
import styles from "./people.module.css";
import type { PeopleHere, Person } from "./people-here.ts";

/** Lists the people who have the document open too, and says who comes and leaves, or that what they write arrives late. */
export function PeopleList({ people }: { readonly people: PeopleHere }): ReactElement {
  const { messages } = useWords();
  const persons = useSyncExternalStore(people.subscribe, () => people.persons);
  const isLate = useSyncExternalStore(people.subscribe, () => people.isLate);
  const others = persons.filter(({ userId }) => userId !== boot().app.user.id);
  const said = useAnnouncement(others);
  const pictures = usePictures(others.map(({ userId }) => userId));
  return (
    <>
      {others.length > 0 && (
        <ul className={styles.people} aria-label={messages.peopleHere}>
          {others.map(({ userId, name, color }) => (
            <li key={userId}>
              <Face userId={userId} name={name} picture={pictures.get(userId)} color={color} />
              <span dir="auto">{name}</span>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="visually-hidden">
        {said}
      </p>
      {/* By itself: who came last is not read out again where this goes. */}
      <p role="status" className={isLate ? styles.late : "visually-hidden"}>
        {isLate && messages.peopleLate}
      </p>
    </>
  );
}

/** Returns who came or left last, in words. */
function useAnnouncement(others: readonly Person[]): string {
  const { messages } = useWords();
  const [said, setSaid] = useState("");
  const before = useRef<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    const now = new Map(others.map(({ userId, name }) => [userId, name]));
    const came = [...now].filter(([id]) => !before.current.has(id)).map(([, name]) => messages.personJoined(name));
    const left = [...before.current].filter(([id]) => !now.has(id)).map(([, name]) => messages.personLeft(name));
    before.current = now;
    if (came.length + left.length > 0) setSaid([...came, ...left].join(" "));
  }, [others, messages]);
  return said;
}
