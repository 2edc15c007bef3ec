import { signal } from '@preact/signals';
import { ownId } from './session';

interface KeptText {
  /** Null: nobody was signed in. */
  readonly by: string | null;
  readonly text: unknown;
}

/** By their places. */
const kept = signal<ReadonlyMap<string, KeptText>>(new Map());

/**
 * A text that is written at a place, until it is sent. It stays for its user alone, or for who signs in next where
 * nobody was signed in, while they look at other pages or sign in again, and as long as this window is open.
 */
export function useKeptText<Text>(place: string, unwritten: Text) {
  const by = ownId.value;
  const one = kept.value.get(place);
  const isOwn = one !== undefined && (one.by === null || one.by === by);
  const text = isOwn ? (one.text as Text) : unwritten;
  const put = (next: KeptText | null) => {
    const others = [...kept.value].filter(([other]) => other !== place);
    kept.value = new Map(next === null ? others : [...others, [place, next]]);
  };
  return {
    text,
    isWritten: isOwn,
    write: (written: Text) => put({ by, text: written }),
    /** Forgets what was sent; not what was written since. */
    sent: () => {
      if (kept.value.get(place) === one) put(null);
    },
  };
}
