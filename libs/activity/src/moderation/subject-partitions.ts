/**
 * Injects the app's {@link SubjectPartitions}. Optional, and needed where points are voided on partitioned
 * leaderboards.
 */
export const SUBJECT_PARTITIONS = Symbol('SUBJECT_PARTITIONS');

/** What the app's activities are done to, and where they count. Bound by the app to {@link SUBJECT_PARTITIONS}. */
export interface SubjectPartitions {
  /**
   * The `partitions` that activities name which are done to these subjects. One that is missing is named with none:
   * what was done to it stays where it is. Where it rejects, or takes longer than
   * `observers.timeoutMs`, nothing is voided yet, and voiding may be repeated.
   */
  find(subjects: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>;
}
