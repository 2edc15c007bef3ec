import type { InjectionToken } from '@nestjs/common';
import type * as Schedule from '@nestjs/schedule';
import { optional } from '../peers/optional';

/** As much of the app's `SchedulerRegistry` as this module uses. */
export interface AppScheduler {
  doesExist(type: 'interval', name: string): boolean;
  addInterval(name: string, interval: NodeJS.Timeout): void;
  deleteInterval(name: string): void;
}

/** By which an app's scheduler is injected; where `@nestjs/schedule` is not installed, nothing is. */
export const APP_SCHEDULER: InjectionToken =
  optional(() => require('@nestjs/schedule') as typeof Schedule)?.SchedulerRegistry ?? Symbol('APP_SCHEDULER');
