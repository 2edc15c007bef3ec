/**
 * The results of calls under way, in their order. Waits for all calls even if one fails, so a failure means that
 * nothing is under way any more.
 * @throws the error of the first failed call in that order.
 */
export async function whenAll<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(calls);
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
