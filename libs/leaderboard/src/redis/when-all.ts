/**
 * What all of several calls under way give, in their order. Ends when all have ended, also where one fails: whoever is told
 * of the failure knows that nothing is on its way any more.
 * @throws what the first of them in their order failed with.
 */
export async function whenAll<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(calls);
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
