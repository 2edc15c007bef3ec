import { SetMetadata } from '@nestjs/common';

/** What a visit says, by what the route answered and by the request. Where one throws, the visit is not recorded. */
export interface VisitOptions<Answer = unknown, Request = unknown> {
  /**
   * What was read: `article:7`, as other activities call it. Null: nothing that counts. Default: the page's path, so
   * that every spelling of an id which the route accepts, `/articles/7` and `/articles/07`, is a page of its own.
   */
  readonly subject?: (answer: Answer, request: Request) => string | null;
  /** Whose it is: rules may give nothing for a user's own subject, and count readers for the owner. Default: nobody. */
  readonly ownerId?: (answer: Answer, request: Request) => string | null;
  /** By their keys, the partitions that the visit counts on: `{ category: 'java' }`. Null: on none. */
  readonly partitions?: (answer: Answer, request: Request) => Readonly<Record<string, string>> | null;
  /** Whether a page of HTML is read by what a script fetches, as with Turbo and htmx. Default false. */
  readonly isReadByScripts?: boolean;
}

/** Metadata of routes: whether their visits score, and what they say. */
export const SCORES_VISITS = Symbol('SCORES_VISITS');

/** Visits of this page, or of all pages of this controller, earn their reader a view. Needs the `VisitInterceptor`. */
export const ScoreVisit = <Answer = unknown, Request = unknown>(
  options: VisitOptions<Answer, Request> = {},
): ClassDecorator & MethodDecorator => SetMetadata(SCORES_VISITS, options);

/** Leaves a route out where its controller has {@link ScoreVisit}. */
export const SkipVisit = (): ClassDecorator & MethodDecorator => SetMetadata(SCORES_VISITS, null);
