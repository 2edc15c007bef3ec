import { Relay, type RelayObserver, type RelayOptions, type RelayReceiver } from '@laurel/outbox';
import type { PostgresServer } from '@laurel/servers';
import { Pool, type PoolClient } from 'pg';
import { startTestPostgres } from '../../../support/postgres';

/** A PostgreSQL with the community's outbox, and the relays and connections of a suite. */
export class OutboxDatabase {
  private readonly relays: { stop(withinMs: number): Promise<void> }[] = [];
  private readonly pools: Pool[] = [];

  private constructor(
    readonly postgres: PostgresServer,
    readonly pool: Pool,
  ) {}

  static async start(): Promise<OutboxDatabase> {
    const postgres = await startTestPostgres();
    const pool = new Pool({ connectionString: postgres.url, max: 20 });
    pool.on('error', () => undefined); // the server ends before it
    return new OutboxDatabase(postgres, pool);
  }

  /** Writes events of one lane in a transaction each. */
  async write(lane: string, ...events: readonly unknown[]): Promise<void> {
    for (const event of events) await writeEvent(this.pool, lane, event);
  }

  /** A relay on connections of its own, as another process would have. */
  relay<T>(receiver: RelayReceiver<T>, options: Partial<RelayOptions<T>> = {}): Relay<T> {
    const pool = new Pool({ connectionString: this.postgres.url, max: 3, application_name: 'a relay' });
    pool.on('error', () => undefined);
    this.pools.push(pool);
    const relay = new Relay({ pool, receiver, observer: new Observed(), pollMs: 50, ...options });
    this.relays.push(relay);
    return relay;
  }

  /** Ends the suite's relays and forgets every event. */
  async clear(): Promise<void> {
    await Promise.all(this.relays.splice(0).map((relay) => relay.stop(5_000)));
    await Promise.all(this.pools.splice(0).map((pool) => pool.end()));
    await this.pool.query('TRUNCATE outbox');
  }

  async stop(): Promise<void> {
    await this.pool.end();
    await this.postgres.stop();
  }
}

/** Writes an event with a connection, or in the transaction that it has open. */
export async function writeEvent(client: Pool | PoolClient, lane: string, event: unknown): Promise<void> {
  await client.query('SELECT outbox_write($1, $2)', [lane, JSON.stringify(event)]);
}

/** Remembers what a relay said. */
export class Observed implements RelayObserver {
  readonly delays: number[] = [];
  readonly refusals: string[] = [];
  readonly passes: string[] = [];
  readonly interruptions: string[] = [];

  delivered(delaysS: readonly number[]): void {
    this.delays.push(...delaysS);
  }

  refused(eventId: string): void {
    this.refusals.push(eventId);
  }

  passed(eventId: string): void {
    this.passes.push(eventId);
  }

  interrupted(by: 'receiver' | 'database'): void {
    this.interruptions.push(by);
  }
}
