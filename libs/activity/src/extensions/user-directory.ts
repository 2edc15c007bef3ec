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
   * Those of the users who are to be kept off the leaderboards, and why; who is missing is not. Asked before anything
   * is recorded of a user whom the process has not met, and again every minute: what it says then is done within a
   * moment. A minute's round has the last 20,000 users met and some 20,000 whom it excludes: of more, each comes every
   * few minutes. While it fails nobody's place changes.
   */
  isExcluded?(userIds: readonly string[]): Promise<ReadonlyMap<string, ExclusionReason>>;
  /**
   * Removes a user and their data from the app; returns how much there was, by kind. Must be safe to repeat: what takes
   * longer than `observers.timeoutMs` is tried again later.
   */
  erase?(userId: string): Promise<Readonly<Record<string, number>>>;
}
