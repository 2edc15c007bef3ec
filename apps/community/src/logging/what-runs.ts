import type { RedisOptions } from '@laurel/activity';

/** What runs where, once the app has started. Passwords are left out. */
export interface WhatRuns {
  readonly url: string;
  readonly redis: string;
  readonly postgres: string;
  readonly prefix: string;
  readonly timezone: string;
  /** How often this instance looks whether a period is to be settled. */
  readonly settlesEveryMs: number;
  /** For how long events are kept in the outbox, and how often it is looked what may go. */
  readonly outboxKeptDays: number;
  readonly outboxForgetsEveryMs: number;
  /** The Redis Stream from which activities are read; null: from none. */
  readonly ingestStream: string | null;
}

/** The same in one line. */
export function sentenceOf(runs: WhatRuns): string {
  const { url, redis, postgres, prefix, timezone, settlesEveryMs, outboxKeptDays, outboxForgetsEveryMs } = runs;
  const parts = [
    `Redis at ${redis} (prefix ${prefix})`,
    `PostgreSQL at ${postgres}`,
    `days in ${timezone}`,
    `settling every ${settlesEveryMs / 1_000} s`,
    `events kept ${outboxKeptDays} days, forgotten every ${outboxForgetsEveryMs / 1_000} s`,
    ...(runs.ingestStream === null ? [] : [`activities from the stream ${runs.ingestStream}`]),
  ];
  return `Listening on ${url} with ${parts.join(', ')}`;
}

/** Where Redis is, without how it lets the app in. */
export function placeOfRedis(redis: RedisOptions): string {
  if ('url' in redis) return placeOf(redis.url);
  if ('nodes' in redis) return `${addressesOf(redis.nodes)} (Cluster)`;
  if ('sentinels' in redis) return `${redis.name} by Sentinels ${addressesOf(redis.sentinels)}`;
  return "a client of the app's own";
}

/** Host, port and path of an address, without user, password and parameters. */
export function placeOf(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${pathname === '/' ? '' : pathname}`;
}

function addressesOf(nodes: readonly { readonly host: string; readonly port: number }[]): string {
  return nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
}
