import { ActivityError, METRICS_REGISTRY } from '@laurel/activity';
import { outboxState, type OutboxState, type RelayObserver } from '@laurel/outbox';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { databaseCode } from '../database/database-fault';

/** Why an event that is done with is missing on a board. */
export type MissedFor = 'closed' | 'rejected' | 'unknownAction';

/** The outbox' metrics, and its failures in the log. */
@Injectable()
export class OutboxMetrics implements RelayObserver {
  private readonly logger = new Logger('Outbox');
  private readonly deliveredTotal: Counter;
  private readonly failures: Counter;
  private readonly missedTotal: Counter;
  private readonly delay: Histogram;
  /** Whether the last that was heard is that something is away: it is logged once. */
  private isInterrupted = false;
  /** Of what is told once and counted from then on. */
  private readonly toldMissing = new Set<MissedFor>();
  /** One question for all that is shown of what waits. */
  private asked: Promise<OutboxState | null> | undefined;

  constructor(
    @Inject(METRICS_REGISTRY) private readonly registry: Registry,
    private readonly pool: Pool,
  ) {
    const registers = [registry];
    this.deliveredTotal = new Counter({
      name: 'laurel_outbox_delivered_total',
      help: 'Events of the outbox that this process handed to recording, each acknowledged.',
      registers,
    });
    this.failures = new Counter({
      name: 'laurel_outbox_failures_total',
      help: 'Attempts that failed: the event itself was refused (event), or Redis (receiver) or the database was away.',
      labelNames: ['by'],
      registers,
    });
    for (const by of ['event', 'receiver', 'database']) this.failures.inc({ by }, 0);
    this.missedTotal = new Counter({
      name: 'laurel_outbox_missed_total',
      help: 'Events that are done with and missing on a board: its period was closed, the score too large (rejected), or no rule had the action (unknownAction).',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of ['closed', 'rejected', 'unknownAction']) this.missedTotal.inc({ reason }, 0);
    this.delay = new Histogram({
      name: 'laurel_outbox_delay_seconds',
      help: 'Time from the writing of an event, in the transaction of its change, until it was recorded.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3_600],
      registers,
    });
    this.watch('laurel_outbox_waiting', 'Events that are not recorded yet.', ({ waiting }) => waiting);
    this.watch(
      'laurel_outbox_oldest_waiting_seconds',
      'For how long the oldest event that is not recorded has waited.',
      ({ oldestS }) => oldestS,
    );
  }

  delivered(delaysS: readonly number[]): void {
    this.isInterrupted = false;
    this.deliveredTotal.inc(delaysS.length);
    for (const delayS of delaysS) this.delay.observe(delayS);
  }

  refused(eventId: string, error: unknown): void {
    this.failures.inc({ by: 'event' });
    this.logger.error(`Event ${eventId} was refused (${reasonOf(error)}): those of its user wait for it.`);
  }

  passed(eventId: string, error: unknown): void {
    this.missed('unknownAction');
    this.logger.error(
      `Event ${eventId} was passed over (${reasonOf(error)}): a replay gives it when there is a rule again.`,
    );
  }

  /** Counts an event that is done with and missing on a board. */
  missed(reason: MissedFor): void {
    this.missedTotal.inc({ reason });
    if (this.toldMissing.has(reason)) return;
    this.toldMissing.add(reason);
    this.logger.warn(
      `An event is missing on a board (${reason}); further ones are counted in laurel_outbox_missed_total.`,
    );
  }

  interrupted(by: 'receiver' | 'database', error: unknown): void {
    this.failures.inc({ by });
    if (this.isInterrupted) return;
    this.isInterrupted = true;
    const what = by === 'receiver' ? 'Recording' : 'The database';
    this.logger.warn(`${what} does not answer (${reasonOf(error)}): what was done waits in the outbox.`);
  }

  /** A figure of what waits, read from the database when the metrics are. */
  private watch(name: string, help: string, figureOf: (state: OutboxState) => number): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: async () => {
        const now = await (this.asked ??= outboxState(this.pool).catch(() => null));
        this.asked = undefined;
        // While the database is away nobody knows: no value is better than an old one.
        if (now) gauge.set(figureOf(now));
        else gauge.remove();
      },
    });
  }
}

/** A code, or the error's words where these are not the database's: never an event's content. */
function reasonOf(error: unknown): string {
  if (error instanceof ActivityError) return `${error.code}: ${error.message}`;
  const code = databaseCode(error);
  return code === 'no answer' && error instanceof Error ? error.message : code;
}
