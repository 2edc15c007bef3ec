import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type InjectionToken,
  Logger,
  Optional,
} from '@nestjs/common';
import type * as Schedule from '@nestjs/schedule';
import { within } from '../deadlines/deadline';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { optional } from '../peers/optional';
import { RedisConnection } from '../redis/redis-connection';
import { faultCode } from '../redis/redis-faults';

/** How long the end of the app waits for the tasks under way, all together. */
const closeWithinMs = 5_000;

/** As much of the app's `SchedulerRegistry` as this module uses. */
interface AppScheduler {
  doesExist(type: 'interval', name: string): boolean;
  addInterval(name: string, interval: NodeJS.Timeout): void;
  deleteInterval(name: string): void;
}

/** By which an app's scheduler is injected; where `@nestjs/schedule` is not installed, nothing is. */
const APP_SCHEDULER: InjectionToken =
  optional(() => require('@nestjs/schedule') as typeof Schedule)?.SchedulerRegistry ?? Symbol('APP_SCHEDULER');

/** Does work again and again, one run at a time. */
export interface PeriodicTask {
  /** Begins a run every so often; a run that is due while another is under way is left out. */
  every(ms: number): void;
  /** Begins a run at once, or as soon as the one under way has ended. */
  ask(): void;
}

/** The periodic tasks of this process: intervals of the app's `SchedulerRegistry`, where it has one. */
@Injectable()
export class PeriodicTasks implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PeriodicTasks.name);
  private readonly stopping = new AbortController();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly runs = new Set<Promise<void>>();

  constructor(
    @Inject(RedisConnection) private readonly connection: Pick<RedisConnection, 'isReady'>,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: Pick<ActivitySettings, 'prefix'>,
    @Optional() @Inject(APP_SCHEDULER) private readonly scheduler?: AppScheduler,
  ) {}

  /** Aborted when the app stops: no run begins any more, and long ones end early. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  /**
   * A task, by its name among the intervals and in logs. What a run rejects with is logged.
   * @param options `needsRedis: false` runs it also while Redis is away.
   */
  task(name: string, work: () => Promise<unknown>, { needsRedis = true } = {}): PeriodicTask {
    const job = `laurel-${name}-${this.settings.prefix}`;
    const { stopping, connection } = this;
    const isAllowed = () => (connection.isReady || !needsRedis) && !stopping.signal.aborted;
    let [isRunning, isAsked] = [false, false];
    const run = async (): Promise<void> => {
      isRunning = true;
      do {
        isAsked = false;
        await work().catch((error: unknown) => this.logger.warn(`${name} failed: ${faultCode(error)}`));
      } while (isAsked && isAllowed());
      isRunning = false;
    };
    const begin = (): void => {
      if (isRunning || !isAllowed()) return;
      const running = run().finally(() => this.runs.delete(running));
      this.runs.add(running);
    };
    return {
      every: (ms) => {
        const timer = setInterval(begin, ms).unref();
        this.timers.set(job, timer);
        this.scheduler?.addInterval(job, timer);
      },
      ask: () => {
        isAsked = true;
        begin();
      },
    };
  }

  /** Ends all tasks; what has not ended in time is left. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    for (const [job, timer] of this.timers) {
      clearInterval(timer);
      if (this.scheduler?.doesExist('interval', job)) this.scheduler.deleteInterval(job);
    }
    await within(closeWithinMs, Promise.all(this.runs), () => undefined);
  }
}
