import type { ActivityModuleOptions } from '@laurel/activity';
import type { LoadBounds } from './http/shed-load';

/** What the community is built from: its environment, with every server found or started. */
export interface CommunityOptions {
  readonly databaseUrl: string;
  readonly authSecret: string;
  readonly outboxRetentionDays: number;
  /** From which load on requests are refused; left out: from none. */
  readonly loadBounds?: LoadBounds;
  readonly activity: ActivityModuleOptions;
  /** Where the built pages lie. Default: beside the built app. Without them the app serves its routes alone. */
  readonly webFolder?: string;
}

/** Injects the {@link CommunityOptions}. */
export const COMMUNITY_OPTIONS = Symbol('COMMUNITY_OPTIONS');
