/** Every key of the Redis archive. What is of free length comes last. */
export const archiveKeys = {
  /**
   * Whether standings are archived here (`redis`) or by the app (`app`).
   * @redis string
   * @expires never
   */
  kind: (prefix: string): string => `{${prefix}}:archive:kind`,
  /**
   * What is known of a leaderboard's archived periods.
   * @redis hash: period -> JSON
   * @expires never, or archive retention
   */
  periods: (prefix: string, leaderboard: string): string => `{${prefix}}:archive:periods:${leaderboard}`,
  /**
   * A leaderboard's archived periods, by their start.
   * @redis sorted set: periods
   * @expires never, or archive retention
   */
  order: (prefix: string, leaderboard: string): string => `{${prefix}}:archive:order:${leaderboard}`,
  /**
   * The leaderboards and partitions that have archived periods.
   * @redis set
   * @expires never
   */
  leaderboards: (prefix: string): string => `{${prefix}}:archive:leaderboards`,
  /**
   * The excluded users.
   * @redis set
   * @expires never
   */
  hiddenUsers: (prefix: string): string => `{${prefix}}:archive:hidden-users`,
  /**
   * A number that changes with the set of excluded users.
   * @redis string
   * @expires never
   */
  hiddenVersion: (prefix: string): string => `{${prefix}}:archive:hidden-version`,
  /**
   * The ranks that an archived period does not show: by `u` and a user, or `p` and the rank of an erased user.
   * @redis hash -> `ordinal,competition,dense`
   * @expires with the period
   */
  hidden: (prefix: string, draft: string): string => `{${prefix}}:archive:hidden:${draft}`,
  /**
   * The titles with which users of an archived period were settled.
   * @redis hash: ordinal -> title
   * @expires with the period
   */
  titles: (prefix: string, draft: string): string => `{${prefix}}:archive:titles:${draft}`,
  /**
   * The drafts that are not committed.
   * @redis set
   * @expires never
   */
  drafts: (prefix: string): string => `{${prefix}}:archive:drafts`,
  /**
   * While the key exists, the writer of the draft is alive.
   * @redis string
   * @expires 60 s after the writer's last sign
   */
  draftLease: (prefix: string, draft: string): string => `{${prefix}}:archive:draft:${draft}`,
  /**
   * One shard of the standings that a draft wrote.
   * @redis hash: chunks of 128 entries in rank order; buckets of user hash -> rank
   * @expires never, or archive retention
   */
  part: (prefix: string, tag: string, draft: string): string => `{${prefix}:${tag}}:archive:${draft}`,
};
