import { EventEmitter2 } from '@nestjs/event-emitter';
import type { ModuleMetadata, Provider } from '@nestjs/common';
import { LeaderboardSettledEvent, SettlementService, type SettlementModuleOptions } from '@laurel/activity';
import type { AllOptions } from '../../../support/activity-imports';
import { dayMs, ManualClock } from '../../../support/clock';
import { freshPrefix } from '../../../support/redis';
import { TinyApp } from '../../activity/support/tiny-app';

/** Ahead, so that nothing expires. */
export const day = '2036-11-20';
export const nextDay = '2036-11-21';
const noon = `${day}T12:00:00Z`;
/** When the day, and the next, can be settled. */
export const closesMs = Date.parse(`${nextDay}T01:00:00Z`);
export const nextClosesMs = closesMs + dayMs;

/** An instance, one of several on a prefix. */
export interface SettlingApp {
  readonly app: TinyApp;
  readonly clock: ManualClock;
  readonly service: SettlementService;
  /** Hears of what is settled by the plain event. */
  on(hear: (event: LeaderboardSettledEvent) => unknown): void;
  /** Records a view of each user at a moment, on a path of its own. */
  view(at: string, ...userIds: readonly string[]): Promise<void>;
  metric(name: string): Promise<number>;
}

/** Starts an instance that settles days, and looks every 20 ms where it is not told otherwise. */
export async function settlingApp(
  given: {
    readonly prefix?: string;
    readonly settlement?: false | SettlementModuleOptions;
    readonly options?: Partial<AllOptions>;
    readonly providers?: readonly Provider[];
    readonly imports?: ModuleMetadata['imports'];
  } = {},
): Promise<SettlingApp> {
  const { prefix = freshPrefix(), settlement, options, providers = [], imports = [] } = given;
  const clock = new ManualClock(noon);
  const leaderboards = [{ name: 'day', period: 'day' }] as const;
  const app = await TinyApp.start({
    options: {
      prefix,
      clock,
      leaderboards,
      settlement: settlement === false ? false : { everyMs: 20, ...settlement },
      ...options,
    },
    providers,
    imports,
  });
  const emitter = app.nest.get(EventEmitter2);
  return {
    app,
    clock,
    service: app.nest.get(SettlementService),
    on: (hear) => void emitter.on(LeaderboardSettledEvent.eventName, hear),
    view: async (at, ...userIds) => {
      await app.record(...userIds.map((userId) => ({ userId, action: 'view', subject: at, occurredAt: at })));
    },
    metric: (name) => app.metric(name),
  };
}
