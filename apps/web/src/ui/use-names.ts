import { useEffect, useRef, useState } from 'preact/hooks';
import { answerOf, api } from '../http/api';
import type { Names as NamesAnswer } from '../contract/api.generated';

/** The server names as many at once. */
const atOnce = 200;

type Names = NamesAnswer['names'];

/** What people call subjects such as `article:7` and `user:42`; of those that have no name, nothing. */
export async function readNames(subjects: readonly string[], signal?: AbortSignal): Promise<Names> {
  const found: Record<string, string> = {};
  for (let from = 0; from < subjects.length; from += atOnce) {
    const body = { subjects: subjects.slice(from, from + atOnce) };
    Object.assign(found, (await answerOf(api.POST('/names', { body, signal: signal ?? null }))).names);
  }
  return found;
}

/** The names of subjects, once they are there: until then, and where they cannot be read, ids are shown. */
export function useNames(subjects: readonly string[]): Names {
  const [names, setNames] = useState<Names>({});
  const answered = useRef(new Set<string>());
  const wanted = [...new Set(subjects)].sort().join('\n');
  useEffect(() => {
    const known = answered.current;
    const unknown = wanted.split('\n').filter((subject) => subject !== '' && !known.has(subject));
    if (unknown.length === 0) return undefined;
    const abort = new AbortController();
    readNames(unknown, abort.signal).then(
      (found) => {
        for (const subject of unknown) known.add(subject);
        setNames((before) => ({ ...before, ...found }));
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [wanted]);
  return names;
}
