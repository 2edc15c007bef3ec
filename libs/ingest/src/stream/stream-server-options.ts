import type { Cluster, Redis } from 'ioredis';
import type { Registry } from 'prom-client';

/** Where a {@link StreamServer} takes messages from, and how many at once. */
export interface StreamServerOptions {
  /** Your client. The transport duplicates it, and closes only its own connection. */
  readonly redis: Redis | Cluster;
  /** Key of the stream. Its entries have the fields `pattern` and `data`, JSON. */
  readonly stream: string;
  /**
   * The consumer group, which all instances of the app share: each message goes to one of them. @defaultValue `laurel`
   */
  readonly group?: string;
  /** The name of this instance; no other may have it. @defaultValue a random one */
  readonly consumer?: string;
  /** The most messages that are handled at the same time. @defaultValue `64` */
  readonly maxInFlight?: number;
  /** After this time without an acknowledgement any instance handles a message again. @defaultValue `10_000` */
  readonly redeliverAfterMs?: number;
  /** How long reading pauses after a message that must be retried later. @defaultValue `500` */
  readonly pauseMs?: number;
  /**
   * After how many deliveries a message that fails, though Redis is not away, is moved to `<stream>:failed`, which
   * keeps all. @defaultValue `60`, ten minutes or so
   */
  readonly maxDeliveries?: number;
  /** How many refused messages the stream `<stream>:refused` keeps, the latest ones. @defaultValue `10_000` */
  readonly maxRefused?: number;
  /**
   * A registry of `prom-client` for its metrics; servers that share one add up. `app.get(METRICS_REGISTRY)` is the
   * module's.
   * @defaultValue none
   */
  readonly registry?: Registry;
}

/** With every default filled in. */
export type StreamServerSettings = Required<StreamServerOptions>;
