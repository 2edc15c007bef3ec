import type { ExclusionReason } from './ports';

/** Injects the app's {@link UserDirectory}. Optional: without one, ranks show only ids. */
export const USER_DIRECTORY = Symbol('USER_DIRECTORY');

/** How a user is shown on a leaderboard. Further fields are returned if the option `profileFields` names them. */
export interface UserProfile {
  readonly name: string;
  readonly avatarUrl: string | null;
  /** A line by the user about themselves, shown with the name. Default: none. */
  readonly text?: string | null;
}

/** The app's users, for names on the leaderboards. The app binds it to {@link USER_DIRECTORY}. */
export interface UserDirectory {
  /** Returns the profiles of the users that it knows; others keep their rank, without a name. */
  find(userIds: readonly string[]): Promise<ReadonlyMap<string, UserProfile>>;
  /**
   * Returns which of the users to exclude from the leaderboards, and why. Called before the first recording of a user
   * since the start, then every minute for the last 20,000 users seen and 20,000 excluded ones in turn. Changes apply
   * at once. While it fails, nobody's rank changes.
   */
  isExcluded?(userIds: readonly string[]): Promise<ReadonlyMap<string, ExclusionReason>>;
  /**
   * Removes a user and their data from the app; returns how much there was, by kind. Must be safe to repeat: it is
   * called again later if it takes longer than `observers.timeoutMs`.
   */
  erase?(userId: string): Promise<Readonly<Record<string, number>>>;
}
