/** Any one of them, each as likely. */
export function anyOf<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

/** Any one of them, each as likely as its weight says. */
export function weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T {
  let left = Math.random() * items.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, item] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  throw new Error('There is nothing to choose from.');
}
