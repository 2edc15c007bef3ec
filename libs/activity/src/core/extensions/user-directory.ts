import type { ExclusionReason } from './moderation';

/** Injects the app's {@link UserDirectory}. Optional: without one, ranks show ids alone. */
export const USER_DIRECTORY = Symbol('USER_DIRECTORY');

/** How a user is shown on a leaderboard. Further fields are passed on where the option `profileFields` names them. */
export interface UserProfile {
  readonly name: string;
  readonly avatarUrl: string | null;
  /** What the user says of themselves, in a line, shown with the name. Default: no line is answered. */
  readonly text?: string | null;
}

/** The app's users, as far as ranks show them. Bound by the app to {@link USER_DIRECTORY}. */
export interface UserDirectory {
  /** The profiles of those users that it knows; an unknown user keeps the rank, without a name. */
  find(userIds: readonly string[]): Promise<ReadonlyMap<string, UserProfile>>;
  /**
   * The users who are to be kept off the leaderboards, and why; other users are shown. Called before the first
   * recording of a user since the start, then every minute for the last 20,000 users seen and 20,000 excluded ones in
   * turn. Changes apply at once. While it fails, nobody's rank changes.
   */
  isExcluded?(userIds: readonly string[]): Promise<ReadonlyMap<string, ExclusionReason>>;
  /**
   * Removes a user and their data from the app; returns how much there was, by kind. Must be safe to repeat: what takes
   * longer than `observers.timeoutMs` is tried again later.
   */
  erase?(userId: string): Promise<Readonly<Record<string, number>>>;
}
