import { within } from '../core/deadlines/deadline';

/** What the app, or a module beside, answers. @throws Error with the code `timeout:<who>` where that takes longer. */
export async function answerWithin<T>(
  ms: number,
  who: string,
  ask: () => Promise<T> | undefined,
): Promise<T | undefined> {
  return within(ms, Promise.resolve(ask()), () => {
    throw Object.assign(new Error(`${who} did not answer within ${ms} ms`), { code: `timeout:${who}` });
  });
}
