import { signal } from '@preact/signals';
import type { Article } from './articles';

/** An unfinished text. */
export type Writing = Pick<Article, 'title' | 'category' | 'body'>;

interface Unfinished {
  readonly by: string;
  readonly writing: Writing;
  /** The draft that holds this very text; null: none that is known. */
  readonly draftId: string | null;
}

const nothingWritten: Writing = { title: '', category: 'general', body: '' };

const unfinished = signal<Unfinished | null>(null);

/**
 * A user's unfinished texts. They stay for that user alone, while the user looks at other pages or signs in again, and
 * as long as this window is open.
 */
export function useUnfinished(userId: string) {
  const { value } = unfinished;
  const { writing, draftId }: Unfinished =
    value?.by === userId ? value : { by: userId, writing: nothingWritten, draftId: null };
  /** An answer may come when the user writes something else. */
  const isStill = () => unfinished.value?.by === userId && unfinished.value.writing === writing;
  return {
    writing,
    draftId,
    write: (changed: Partial<Writing>): void => {
      unfinished.value = { by: userId, writing: { ...writing, ...changed }, draftId: null };
    },
    heldBy: (id: string): void => {
      if (isStill()) unfinished.value = { by: userId, writing, draftId: id };
    },
    finish: (): void => {
      if (isStill()) unfinished.value = null;
    },
  };
}
