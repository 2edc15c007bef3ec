import { Inject, Injectable, Optional } from '@nestjs/common';
import type { ActivityChange } from '../activity/activity';
import type { Moderation, RefusalObserver, RulesSync, UserEraser, UserRecords } from './ports';
import type { OperationLog } from './operation';
import type { PastStandings, TitleSource } from './standings';
import { USER_DIRECTORY, type UserDirectory } from './user-directory';

/**
 * The extensions of the core by other modules, one object for each `ActivityModule`. Undefined means not imported: the
 * core then sends Redis nothing for it.
 */
@Injectable()
export class Extensions {
  /** In the order in which an erasure calls them. */
  readonly erasers: readonly UserEraser[] = [];
  /** In the order in which a user is told of them. */
  readonly records: readonly UserRecords[] = [];
  readonly refusals?: RefusalObserver;
  readonly moderation?: Moderation;
  readonly past?: PastStandings;
  readonly titles?: TitleSource;
  readonly leaderboards?: RulesSync;
  readonly rules?: RulesSync;
  /** Hears of each activity that changed points or counts, behind Redis' answer: returns at once, never throws. */
  readonly gained?: (activity: ActivityChange) => void;
  readonly operations?: OperationLog;
  /** Counts each user whom this process excludes or shows again: copies of standings made before are stale. */
  exclusionChanges = 0;

  /** @param directory the app's own, for optional modules. */
  constructor(@Optional() @Inject(USER_DIRECTORY) readonly directory?: UserDirectory) {}

  /** Adds what a module brings. All are there before any `onModuleInit`. */
  add({ erasers = [], records = [], ...ports }: Extension): void {
    Object.assign(this, ports, { erasers: [...this.erasers, ...erasers], records: [...this.records, ...records] });
  }
}

/** What an optional module brings to the core. */
export type Extension = Partial<Omit<Extensions, 'add' | 'directory' | 'exclusionChanges'>>;
