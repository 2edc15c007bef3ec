import type { Cluster, Redis } from 'ioredis';
import type { Registry } from 'prom-client';

/** Where a {@link StreamServer} takes messages from, and how many at once. */
export interface StreamServerOptions {
  /** Your client. It is duplicated: the transport waits on a connection of its own, and closes that alone. */
  readonly redis: Redis | Cluster;
  /** Key of the stream. Its entries have the fields `pattern` and `data`, JSON. */
  readonly stream: string;
  /** All instances of the app share one: each message goes to one of them. @defaultValue `laurel` */
  readonly group?: string;
  /** Names this instance; must be its own. @defaultValue a random one */
  readonly consumer?: string;
  /** The most messages that are being handled at a time; more are not taken. @defaultValue `64` */
  readonly maxInFlight?: number;
  /** After this time without an acknowledgement any instance handles a message again. @defaultValue `10_000` */
  readonly redeliverAfterMs?: number;
  /** How long nothing is taken after a message that may be recorded later. @defaultValue `500` */
  readonly pauseMs?: number;
  /**
   * At which delivery a message that failed by a fault of its own, not because Redis is away, is laid aside in
   * `<stream>:failed`, which keeps all. @defaultValue `60`, ten minutes or so
   */
  readonly maxDeliveries?: number;
  /** The most refused messages kept, in the stream `<stream>:refused`, the latest. @defaultValue `10_000` */
  readonly maxRefused?: number;
  /**
   * Of `prom-client`, for its metrics; servers that share one add up. `app.get(METRICS_REGISTRY)` has the module's.
   * @defaultValue none
   */
  readonly registry?: Registry;
}

/** With every default filled in. */
export type StreamServerSettings = Required<StreamServerOptions>;
