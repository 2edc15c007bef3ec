import { SetMetadata } from '@nestjs/common';

/** Describes a visit, by functions of the response and the request. If one throws, the visit is not recorded. */
export interface VisitOptions<Answer = unknown, Request = unknown> {
  /**
   * The subject that was read: `article:7`, as other activities call it. Null: the visit does not count. Default: the
   * page's path; then each spelling of an id, `/articles/7` and `/articles/07`, is a page of its own.
   */
  readonly subject?: (answer: Answer, request: Request) => string | null;
  /** The subject's owner, for rules with `ownSubject` or `grants`. Default: none. */
  readonly ownerId?: (answer: Answer, request: Request) => string | null;
  /** The partitions on which the visit counts, by key: `{ category: 'java' }`. Null: none. */
  readonly partitions?: (answer: Answer, request: Request) => Readonly<Record<string, string>> | null;
  /** Whether HTML that a script fetches counts as read, as with Turbo and htmx. Default false. */
  readonly isReadByScripts?: boolean;
}

/** Metadata of routes: whether their visits score, and what they say. */
export const SCORES_VISITS = Symbol('SCORES_VISITS');

/** Visits of this page, or of all pages of this controller, earn their reader a view. Needs the `VisitInterceptor`. */
export const ScoreVisit = <Answer = unknown, Request = unknown>(
  options: VisitOptions<Answer, Request> = {},
): ClassDecorator & MethodDecorator => SetMetadata(SCORES_VISITS, options);

/** Excludes a route of a controller that has {@link ScoreVisit}. */
export const SkipVisit = (): ClassDecorator & MethodDecorator => SetMetadata(SCORES_VISITS, null);
