import type { SettlementModuleOptions } from '@laurel/activity';
import { archiveRetention } from './archive-retention-variable';
import { readVariables, type Variables } from './variables';

/** The variables that the settlement module's options are read from. */
export const settlementVariables = {
  /**
   * For how many days after its end `prune` leaves a period in the archive, by leaderboard: `day=400,month=none`.
   * @defaultValue all are kept
   */
  LAUREL_ARCHIVE_RETENTION: archiveRetention,
};

/**
 * LAUREL_ARCHIVE_RETENTION as an option of the settlement module.
 * @throws ActivityError `invalidOption`, naming the variable, its value and what is allowed.
 */
export function settlementEnvironment(variables: Variables): Pick<SettlementModuleOptions, 'archiveRetentionMs'> {
  const { LAUREL_ARCHIVE_RETENTION: archiveRetentionMs } = readVariables(settlementVariables, variables);
  return archiveRetentionMs === undefined ? {} : { archiveRetentionMs };
}
