import { type Category, isCategory } from '../language/categories';
import { firstBoard } from '../ranks/boards';
import type { BoardAddress } from '../ranks/ranks';
import { pathOf, withQuery } from '../addresses/pages';

/** Which board a page shows, as its address says it. */
export interface ShownBoard {
  readonly leaderboard: string;
  readonly period?: string;
  readonly category?: Category | undefined;
  /** The user in the middle of the page. */
  readonly around?: string | undefined;
  /** Only the signed-in user and whom they follow. */
  readonly isFollowed?: boolean;
}

/** The boards of which there is one for each category as well, with what the server calls that. */
const byCategory: Readonly<Record<string, string>> = { week: 'category-week', month: 'category-month' };

/** The address of a board's page. */
export function boardPath({ leaderboard, period = 'current', category, around, isFollowed }: ShownBoard): string {
  const who = isFollowed && around === undefined ? 'followed' : undefined;
  const query = { category, period: period === 'current' ? undefined : period, around, who };
  return withQuery(leaderboard === firstBoard ? pathOf('home') : pathOf('board', leaderboard), query);
}

/** The category that an address names; undefined: none that this board knows. */
export function categoryOn(leaderboard: string, name: string | undefined): Category | undefined {
  return isCategory(name) && Object.hasOwn(byCategory, leaderboard) ? name : undefined;
}

/** The board that is shown under a name: of what the server calls the cut of one, that one. */
export function wholeBoard(name: string): string {
  return Object.entries(byCategory).find(([, cut]) => cut === name)?.[0] ?? name;
}

/** The board that is nearest to this one and is also cut by category. */
export function cutByCategory(leaderboard: string): string {
  if (Object.hasOwn(byCategory, leaderboard)) return leaderboard;
  return leaderboard === 'day' ? 'week' : 'month';
}

/** The server's address of a board, with its partition if a category is chosen. */
export function addressOf({ leaderboard, period = 'current', category }: ShownBoard): BoardAddress {
  if (category === undefined) return { leaderboard, period };
  return { leaderboard: byCategory[leaderboard] ?? leaderboard, period, partition: category };
}
