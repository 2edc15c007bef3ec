import type { ActivityModuleOptions } from '@laurel/activity';
import type { LoadBounds } from './load-bounds';
import type { ThrottleLimits } from './throttle-limits';

/** A number of proxies in front of the app, or their addresses and networks. */
export type TrustedProxies = number | readonly string[];

/** What the community is built from: its environment, with every server found or started. */
export interface CommunityOptions {
  readonly databaseUrl: string;
  readonly authSecret: string;
  readonly outboxRetentionDays: number;
  /** How often the outbox is looked at without notice of a commit, in milliseconds. Default 500. */
  readonly outboxPollMs?: number;
  /** How long the text of the metrics holds for whoever asks next, in milliseconds. Default 1000. */
  readonly metricsKeptMs?: number;
  /** How long a request with `?outcome=true` waits for it, in milliseconds. Default 1,000. */
  readonly outcomeWaitMs?: number;
  /** From which load on requests are refused; left out: from none. */
  readonly loadBounds?: LoadBounds;
  readonly activity: ActivityModuleOptions;
  /** How many requests are taken of one. Default: any number. */
  readonly throttle?: ThrottleLimits;
  /** Whose `X-Forwarded-For` is believed: so many proxies, or those at these addresses. Default: nobody's. */
  readonly trustProxy?: TrustedProxies;
  /** Foreign origins whose pages may ask. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** The most connections at once; more are closed. Default 20,000. */
  readonly maxConnections?: number;
  /** Key of the Redis Stream by which other services send activities. Default: none is read. */
  readonly ingestStream?: string;
  /** Where the built pages lie. Default: beside the built app. Without them the app serves its routes alone. */
  readonly webFolder?: string;
}

/** Injects the {@link CommunityOptions}. */
export const COMMUNITY_OPTIONS = Symbol('COMMUNITY_OPTIONS');
