/** What articles can be about: a closed list, of which the pages have a name for each. */
export const categories = ['general', 'technology', 'science', 'arts', 'life', 'sports'] as const;

/** One of {@link categories}. */
export type Category = (typeof categories)[number];

/** That of an article whose author names none. The database gives it too, to what the version before writes. */
export const defaultCategory: Category = 'general';

/** The parts of the leaderboards that are cut by category on which an activity counts that is done to such an article. */
export function partitionsOf({ category }: { readonly category: Category }): Readonly<Record<string, string>> {
  return { category };
}
