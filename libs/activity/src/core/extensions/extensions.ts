import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Moderation } from './moderation';
import type { OperationLog } from './operation';
import type { RefusalObserver } from './outcome-observer';
import type { PastStandings } from './past-standings';
import type { RulesSync } from './rules-sync';
import type { TitleSource } from './title-source';
import { USER_DIRECTORY, type UserDirectory } from './user-directory';
import type { UserEraser } from './user-eraser';
import type { UserRecords } from './user-records';

/**
 * The extensions of the core by other modules, one object for each `ActivityModule`. A module registers itself in the
 * constructor of a provider, so all are known before any `onModuleInit`. Null means not imported: the core then sends
 * Redis nothing for it.
 */
@Injectable()
export class Extensions {
  readonly refusalObservers: RefusalObserver[] = [];
  /** In the order in which an erasure calls them. */
  readonly erasers: UserEraser[] = [];
  /** In the order in which a user is told of them. */
  readonly records: UserRecords[] = [];
  moderation: Moderation | null = null;
  past: PastStandings | null = null;
  titles: TitleSource | null = null;
  rules: RulesSync | null = null;
  operations: OperationLog | null = null;

  /** @param directory the app's own, for the modules beside. */
  constructor(@Optional() @Inject(USER_DIRECTORY) readonly directory?: UserDirectory) {}
}
