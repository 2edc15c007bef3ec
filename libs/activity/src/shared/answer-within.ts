import { within } from '../core/deadlines/deadline';

/** The answer of the app or of an optional module. @throws Error with the code `timeout:<who>` if it comes too late. */
export async function answerWithin<T>(ms: number, who: string, ask: () => PromiseLike<T> | T): Promise<T> {
  return within(ms, Promise.resolve(ask()), () => {
    throw Object.assign(new Error(`${who} did not answer within ${ms} ms`), { code: `timeout:${who}` });
  });
}
