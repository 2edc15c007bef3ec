import { answerOf, api } from '../http/api';
import { type Query, keyOf } from '../http/query';
import type { Names as NamesAnswer } from '../contract/api.generated';
import { useLast, useResource } from '../resource/use-resource';
import { ownId } from '../session/session';

/** The server names as many at once. */
const atOnce = 200;
const path = '/names';

type Names = NamesAnswer['names'];

/** The names of subjects such as `article:7` and `user:42`; subjects without a name are left out. */
export function namesQuery(subjects: readonly string[]): Query<Names> {
  const read = async (signal?: AbortSignal) => {
    const found: Record<string, string> = {};
    for (let from = 0; from < subjects.length; from += atOnce) {
      const body = { subjects: subjects.slice(from, from + atOnce) };
      Object.assign(found, (await answerOf(api.POST(path, { body, signal: signal ?? null }))).names);
    }
    return found;
  };
  return { key: keyOf(ownId.value, path, subjects), path, read };
}

/** The names of subjects, once they are there: until then, and where they cannot be read, ids are shown. */
export function useNames(subjects: readonly string[]): Names {
  const wanted = [...new Set(subjects)].sort();
  return useLast(useResource(wanted.length === 0 ? null : namesQuery(wanted)).value) ?? {};
}
