import { useId } from 'preact/hooks';
import { messages } from '../language/language';
import { useLast, useResource } from '../resource/use-resource';
import { namesQuery } from '../ui/use-names';
import { useRested } from '../ui/use-rested';
import { usersByNameQuery } from './operators';
import styles from './person-field.module.css';

/** Somebody whom an operator means: a user of the community, or an id that other services send. */
export interface MeantPerson {
  readonly id: string;
  /** Null: nobody here has this name or id. */
  readonly name: string | null;
  /** Whether the text is the name of this user and the id of another. */
  readonly isDoubtful: boolean;
}

/** The user whose name, in capitals or not, or id was typed. */
export async function personMeant(typed: string): Promise<MeantPerson> {
  const text = typed.trim();
  const named = (await usersByNameQuery(text).read()).users.find(
    ({ name }) => name.toLowerCase() === text.toLowerCase(),
  );
  const subject = `user:${text}`;
  const name = (await namesQuery([subject]).read())[subject] ?? null;
  if (!named) return { id: text, name, isDoubtful: false };
  return { ...named, isDoubtful: name !== null && named.id !== text };
}

/** The fields of a form that name a user. */
export interface PersonDraft {
  readonly text: string;
  /** The text that was warned of: nobody here has that name or id, and it is meant all the same. */
  readonly warnedOf: string | null;
  /** It was warned of as the name of one and the id of another. */
  readonly isDoubtful: boolean;
}

export const noPerson: PersonDraft = { text: '', warnedOf: null, isDoubtful: false };

/** The user; null: the text is nobody's, or a name and another's id, which the field says once before it takes it. */
export async function chosenPerson(draft: PersonDraft, warn: (of: PersonDraft) => void): Promise<string | null> {
  const { id, name, isDoubtful } = await personMeant(draft.text);
  if ((name !== null && !isDoubtful) || draft.warnedOf === draft.text) return id;
  warn({ ...draft, warnedOf: draft.text, isDoubtful });
  return null;
}

/** A field for a person, who is chosen by name. */
export function PersonField({ draft, change }: { draft: PersonDraft; change: (draft: PersonDraft) => void }) {
  const { operators: words } = messages.value;
  const id = useId();
  const names = useSuggestions(draft.text);
  const isWarned = draft.warnedOf !== null && draft.warnedOf === draft.text;
  return (
    <label>
      <span>{words.person}</span>
      <input
        name="person"
        required
        maxLength={128}
        autocomplete="off"
        list={`${id}-names`}
        aria-describedby={isWarned ? `${id}-warning` : undefined}
        value={draft.text}
        onInput={({ currentTarget }) => change({ ...draft, text: currentTarget.value })}
      />
      <datalist id={`${id}-names`}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {isWarned && (
        <small id={`${id}-warning`} class={styles.warning} role="alert">
          {draft.isDoubtful ? words.doubtfulPerson(draft.text) : words.unknownPerson(draft.text)}
        </small>
      )}
    </label>
  );
}

/** Without suggestions names can be typed all the same. */
function useSuggestions(text: string): readonly string[] {
  const typed = useRested(text.trim());
  const found = useLast(useResource(typed === '' ? null : usersByNameQuery(typed)).value);
  return found?.users.map(({ name }) => name) ?? [];
}
