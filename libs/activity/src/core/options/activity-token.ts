import type { Type } from '@nestjs/common';

/**
 * The injection token of a provider of the `ActivityModule` with this name, if a process has several:
 * `@Inject(getActivityToken(ActivityService, 'blog'))`, `useExisting: getActivityToken(VisitInterceptor, 'blog')`. For
 * `ActivityService`, `RankService`, `VisitInterceptor`, `ActivityHealth` and `METRICS_REGISTRY`.
 */
export function getActivityToken(provided: Type | symbol, name: string): string {
  return `laurel:${name}:${typeof provided === 'symbol' ? provided.description : provided.name}`;
}
