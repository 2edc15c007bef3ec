/** Every key of the Redis archive. What is of free length comes last. */
export const archiveKeys = {
  /** Says whether standings are archived here (`redis`) or by the app's own archive (`app`). */
  kind: (prefix: string): string => `{${prefix}}:archive:kind`,
  /** Hash of a leaderboard: period -> what is known of it. */
  periods: (prefix: string, leaderboard: string): string => `{${prefix}}:archive:periods:${leaderboard}`,
  /** Sorted set of a leaderboard: periods by their start. */
  order: (prefix: string, leaderboard: string): string => `{${prefix}}:archive:order:${leaderboard}`,
  /** Set: the leaderboards, and parts of such, that have archived periods. */
  leaderboards: (prefix: string): string => `{${prefix}}:archive:leaderboards`,
  /** Set: the users who do not show. */
  hiddenUsers: (prefix: string): string => `{${prefix}}:archive:hidden-users`,
  /** A number that changes with that set. */
  hiddenVersion: (prefix: string): string => `{${prefix}}:archive:hidden-version`,
  /** Hash of a draft: `u` and a user, or `p` and a place whose user was erased -> `place,competition,dense`. */
  hidden: (prefix: string, draft: string): string => `{${prefix}}:archive:hidden:${draft}`,
  /** Set of the drafts that are not committed. */
  drafts: (prefix: string): string => `{${prefix}}:archive:drafts`,
  /** There while the draft's writer lives. */
  draftLease: (prefix: string, draft: string): string => `{${prefix}}:archive:draft:${draft}`,
  /** Hash: a shard's part of the standings that a draft wrote. */
  part: (prefix: string, tag: string, draft: string): string => `{${prefix}:${tag}}:archive:${draft}`,
};
