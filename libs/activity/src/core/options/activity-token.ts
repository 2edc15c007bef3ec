import type { Type } from '@nestjs/common';

/**
 * The token of what the `ActivityModule` of this name exports, where a process has several:
 * `@Inject(getActivityToken(ActivityService, 'blog'))`, `useExisting: getActivityToken(VisitInterceptor, 'blog')`.
 * There are `ActivityService`, `RankService`, `VisitInterceptor`, `ActivityHealth` and `METRICS_REGISTRY`.
 */
export function getActivityToken(provided: Type | symbol, name: string): string {
  return `laurel:${name}:${typeof provided === 'symbol' ? provided.description : provided.name}`;
}
