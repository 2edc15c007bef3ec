const missed = Symbol('missed');

/** The result of `work`, or of `late` if that takes longer than `ms`; a late rejection is ignored. */
export async function within<T, Late>(ms: number, work: PromiseLike<T>, late: () => Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<typeof missed>((resolve) => {
    timer = setTimeout(() => resolve(missed), Math.max(0, ms)).unref();
  });
  try {
    const result = await Promise.race([work, end]);
    return result === missed ? late() : result;
  } finally {
    clearTimeout(timer);
  }
}

/** The answer of the app or of an optional module. @throws Error with the code `timeout:<who>` if it comes too late. */
export async function answerWithin<T>(ms: number, who: string, ask: () => PromiseLike<T> | T): Promise<T> {
  return within(ms, Promise.resolve(ask()), () => {
    throw Object.assign(new Error(`${who} did not answer within ${ms} ms`), { code: `timeout:${who}` });
  });
}
