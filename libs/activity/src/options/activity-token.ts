import type { Type } from '@nestjs/common';

/** Injects the name of the module; null: it has none. */
export const ACTIVITY_NAME = Symbol('ACTIVITY_NAME');

/**
 * The token of what the `ActivityModule` of this name exports, where a process has several:
 * `@Inject(getActivityToken(ActivityService, 'blog'))`, `useExisting: getActivityToken(VisitInterceptor, 'blog')`. There are
 * `ActivityService`, `RankService`, `VisitInterceptor`, `ActivityHealth` and `METRICS_REGISTRY`.
 */
export function getActivityToken(provided: Type | symbol, name: string): string {
  return `laurel:${name}:${typeof provided === 'symbol' ? provided.description : provided.name}`;
}
