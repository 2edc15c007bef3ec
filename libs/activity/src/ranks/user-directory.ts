/** Injects the app's {@link UserDirectory}. Optional: without one, ranks show ids alone. */
export const USER_DIRECTORY = Symbol('USER_DIRECTORY');

/** How a user is shown on a leaderboard. */
export interface UserProfile {
  readonly name: string;
  readonly avatarUrl: string | null;
}

/** The app's users, as far as ranks show them. Bound by the app to {@link USER_DIRECTORY}. */
export interface UserDirectory {
  /** The profiles of those it knows; who is missing keeps his place, without a name. */
  find(userIds: readonly string[]): Promise<ReadonlyMap<string, UserProfile>>;
}
