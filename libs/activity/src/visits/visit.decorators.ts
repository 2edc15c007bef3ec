import { SetMetadata } from '@nestjs/common';

/** What a visit says beside who read which page. */
export interface VisitOptions<Answer = unknown> {
  /**
   * By their keys, the partitions that the visit counts on, by what the route answered:
   * `{ category: 'java' }`. Null: on none. Where it throws, the visit is not recorded.
   */
  readonly partitions?: (answer: Answer) => Readonly<Record<string, string>> | null;
}

/** Metadata of routes: whether their visits score, and what they say. */
export const SCORES_VISITS = Symbol('SCORES_VISITS');

/** Visits of this page, or of all pages of this controller, earn their reader a view. Needs the `VisitInterceptor`. */
export const ScoreVisit = <Answer = unknown>(options: VisitOptions<Answer> = {}): ClassDecorator & MethodDecorator =>
  SetMetadata(SCORES_VISITS, options);

/** Leaves a route out where its controller has {@link ScoreVisit}. */
export const SkipVisit = (): ClassDecorator & MethodDecorator => SetMetadata(SCORES_VISITS, null);
