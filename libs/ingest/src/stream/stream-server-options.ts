import type { Cluster, Redis } from 'ioredis';
import type { Registry } from 'prom-client';

/** Where a {@link StreamServer} takes messages from, and how many at once. */
export interface StreamServerOptions {
  /** It is duplicated, with more patience: the transport waits on a connection of its own, and closes that alone. */
  readonly redis: Redis | Cluster;
  /** Key of the stream. Its entries have the fields `pattern` and `data`, JSON. */
  readonly stream: string;
  /** All instances of the app share one: each message goes to one of them. Default `laurel`. */
  readonly group?: string;
  /** Names this instance; must be its own. Default: a random one. */
  readonly consumer?: string;
  /** The most messages that are being handled at a time; more are not taken. Default 64. */
  readonly maxInFlight?: number;
  /** How long a message may lack an acknowledgement before any instance handles it again. Default 10,000. */
  readonly redeliverAfterMs?: number;
  /** How long nothing is taken after a message that may be recorded later. Default 500. */
  readonly pauseMs?: number;
  /**
   * At which delivery a message that failed by a fault of its own, not for want of Redis, is laid aside in
   * `<stream>:failed`, which keeps all. Default 60, ten minutes or so.
   */
  readonly maxDeliveries?: number;
  /** The most refused messages kept, in the stream `<stream>:refused`, the latest. Default 10,000. */
  readonly maxRefused?: number;
  /**
   * The registry of its metrics; servers with one registry add up. `METRICS_REGISTRY` has the module's. Default: none.
   */
  readonly registry?: Registry;
}

/** With every default filled in. */
export type StreamServerSettings = Required<StreamServerOptions>;
