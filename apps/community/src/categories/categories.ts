/** The categories of articles: a closed list; the pages have a name for each. */
export const categories = ['general', 'technology', 'science', 'arts', 'life', 'sports'] as const;

/** One of {@link categories}. */
export type Category = (typeof categories)[number];

/** That of an article whose author names none. */
export const defaultCategory: Category = 'general';

/** The partitions on which an activity to such an article counts, of the leaderboards by category. */
export function partitionsOf({ category }: { readonly category: Category }): Readonly<Record<string, string>> {
  return { category };
}
