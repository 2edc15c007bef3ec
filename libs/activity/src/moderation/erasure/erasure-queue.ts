import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { within } from '../../deadlines/deadline';
import { ActivityError } from '../../errors/errors';
import { Extensions } from '../../extensions/extensions';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../options/settings';
import { Lease } from '../../redis/lease';
import { RedisConnection } from '../../redis/redis-connection';
import { faultCode } from '../../redis/redis-faults';
import { assertUserId } from '../checks';
import type { ErasureReceipt } from './erasure-receipt';
import { ErasureRecords, type OpenErasure } from './erasure-records';
import { Erasures } from './erasures';

/** How often an instance looks for erasures that another has left, or that could not be done. */
const lookEveryMs = 5_000;
/** How long an erasure of an instance that died is left to it. */
const leaseMs = 15_000;
/** How long an answer waits for its erasure: most are done by then. */
const answerWithinMs = 2_000;
/** How long a shutdown waits for an erasure under way. */
const closeWithinMs = 5_000;

/**
 * The lease of the instance that erases users.
 * @redis string: its token
 * @expires 15 s after its last renewal
 */
function erasingKey(prefix: string): string {
  return `{${prefix}}:erasing`;
}

/**
 * Erases users one after the other, in the order in which that was asked for, beside everything else that the instance
 * does. One instance is at it; where it dies, another goes on. What fails is tried again every five seconds, and the
 * others do not wait for it.
 */
@Injectable()
export class ErasureQueue implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ErasureQueue.name);
  private readonly records: ErasureRecords;
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;
  private isWorking = false;
  private isAsked = false;
  private isClosing = false;
  private asked = 0;
  /** What waits for the end of a try. */
  private readonly waiting = new Set<{ readonly id: string; readonly resolve: () => void }>();

  constructor(
    private readonly connection: RedisConnection,
    private readonly erasures: Erasures,
    private readonly extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.records = new ErasureRecords(connection.client, settings.prefix);
  }

  /** Starts to look for erasures; a command, which stores no settings, leaves them to the app. */
  onApplicationBootstrap(): void {
    if (!this.settings.storesSettings) return;
    this.timer = setInterval(() => this.work(), lookEveryMs);
    this.timer.unref();
  }

  /** Begins no other erasure; one that takes long is left to another instance. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.timer);
    if (this.working) await within(closeWithinMs, this.working, () => undefined);
  }

  /**
   * Asks for the erasure of a user, and returns its receipt: after two seconds, or when the erasure is done or has
   * failed, if that is sooner. While one of the user's is not done, it is that one's. A few round trips.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`.
   */
  async ask(userId: string): Promise<ErasureReceipt> {
    assertUserId(userId);
    const { id } = await this.connection.read(() => this.records.open(this.newRecord(userId)));
    await this.tried(id);
    return { ...(await this.find(id)), userId };
  }

  /** The receipt of an erasure. One round trip. @throws ActivityError `unknownErasure`, `unavailable` */
  async find(id: string): Promise<ErasureReceipt> {
    const record = await this.connection.read(() => this.records.find(id));
    if (!record) throw new ActivityError('unknownErasure', 'There is no erasure of this id: the last 1,000 are kept.');
    const { needs: _, ...receipt } = record;
    return receipt;
  }

  /** Until this instance has tried an erasure, or two seconds. */
  private async tried(id: string): Promise<void> {
    let resolve = (): void => undefined;
    const end = new Promise<void>((done) => (resolve = done));
    const waiter = { id, resolve };
    this.waiting.add(waiter);
    this.work();
    await within(answerWithinMs, end, () => undefined);
    this.waiting.delete(waiter);
  }

  private newRecord(userId: string): OpenErasure {
    const nowMs = this.settings.clock.now();
    this.asked += 1;
    // Ordered by its time and, within a process, by its number.
    const id = `${nowMs.toString(36).padStart(9, '0')}${this.asked.toString(36).padStart(4, '0')}-${randomBytes(4).toString('hex')}`;
    const times = { askedAt: new Date(nowMs).toISOString(), startedAt: null, doneAt: null };
    return { id, userId, state: 'waiting', ...times, erased: {}, fault: null, needs: this.abilities() };
  }

  /** What this instance erases in. */
  private abilities(): string[] {
    const { directory, erasers } = this.extensions;
    return [...erasers.map(({ kind }) => kind), ...(directory?.erase ? ['directory'] : [])];
  }

  private work(): void {
    this.isAsked = true;
    if (this.isWorking) return;
    this.isWorking = true;
    this.working = this.workOff();
  }

  private async workOff(): Promise<void> {
    try {
      while (this.isAsked && !this.isClosing && this.connection.isReady) {
        this.isAsked = false;
        if ((await this.records.queue()).length === 0) continue;
        const lease = await Lease.take(this.connection.client, erasingKey(this.settings.prefix), leaseMs);
        // The instance that has it looks again before it ends, or this one does in a moment.
        if (!lease) continue;
        await this.tryAll(lease).finally(() => lease.release());
      }
    } catch (error) {
      this.logger.warn(`Users who are to be erased have to wait: ${faultCode(error)}.`);
    } finally {
      this.isWorking = false;
    }
  }

  /** Tries each that is in the queue once, also those that come meanwhile. */
  private async tryAll(lease: Lease): Promise<void> {
    const tried = new Set<string>();
    for (;;) {
      const ids = (await this.records.queue()).filter((id) => !tried.has(id));
      if (ids.length === 0) return;
      for (const id of ids) {
        if (this.isClosing) return;
        lease.assertHeld();
        tried.add(id);
        await this.try(id);
        for (const waiter of this.waiting) if (waiter.id === id) waiter.resolve();
      }
    }
  }

  private async try(id: string): Promise<void> {
    const record = await this.records.find(id);
    const { clock } = this.settings;
    const now = () => new Date(clock.now()).toISOString();
    const userId = record?.userId;
    if (!record || userId == null || record.needs.some((kind) => !this.abilities().includes(kind))) return;
    const running: OpenErasure = { ...record, userId, state: 'running', startedAt: now() };
    await this.records.put(running);
    try {
      const { erased } = await this.erasures.erase(userId);
      await this.records.close({ ...running, userId: null, state: 'done', doneAt: now(), erased, fault: null }, userId);
    } catch (error) {
      const fault = error instanceof ActivityError ? error.code : faultCode(error);
      this.logger.warn(`A user who is to be erased has to wait: ${fault}.`);
      await this.records.put({ ...running, state: 'waiting', fault });
    }
  }
}
