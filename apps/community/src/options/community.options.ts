import type { ActivityModuleOptions, LiveModuleOptions, SettlementModuleOptions } from '@laurel/activity';

/** A number of proxies in front of the app, or their addresses and networks. */
export type TrustedProxies = number | readonly string[];

/** The load from which on requests are refused. */
export interface LoadBounds {
  /** Requests at once. */
  readonly maxRequests: number;
  /** How late the event loop may run, on average. */
  readonly maxLateMs: number;
}

/** How many requests are taken from one user, address or name; more are answered 429, or, for a name, wait. */
export interface ThrottleLimits {
  /** Requests a minute to one instance: of a signed-in user, or else of an address. */
  readonly requestsPerMinute: number;
  /** Registrations and sign-ins of an address in ten minutes, on all instances together. */
  readonly signInsPerAddress: number;
  /** Registrations and wrong passwords for a name in fifteen minutes, on all instances together. */
  readonly triesPerName: number;
}

/** The community's options, from its environment and the addresses of its servers. */
export interface CommunityOptions {
  readonly databaseUrl: string;
  readonly authSecret: string;
  readonly outboxRetentionDays: number;
  /** How often the outbox is looked at without notice of a commit, in milliseconds. Default 500. */
  readonly outboxPollMs?: number;
  /** How long the text of the metrics is cached, in milliseconds. Default 1,000. */
  readonly metricsKeptMs?: number;
  /** How long a request with `?outcome=true` waits for it, in milliseconds. Default 1,000. */
  readonly outcomeWaitMs?: number;
  /** Whether an article goes online when a moderator, who has the API key, has approved it. Default: at once. */
  readonly reviewsArticles?: boolean;
  /** Whether metrics and the description of the routes need an API key. Default: anybody reads them. */
  readonly closesOperations?: boolean;
  /** The load from which on requests are refused. Default: none are refused. */
  readonly loadBounds?: LoadBounds;
  readonly activity: ActivityModuleOptions;
  readonly settlement?: SettlementModuleOptions;
  readonly streams?: LiveModuleOptions;
  /** How many requests are taken from one user, address or name. Default: any number. */
  readonly throttle?: ThrottleLimits;
  /** The proxies whose `X-Forwarded-For` is believed: their number, or their addresses. Default: none. */
  readonly trustProxy?: TrustedProxies;
  /** Foreign origins whose pages may send requests. Default: none. */
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
