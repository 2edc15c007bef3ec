import { SetMetadata } from '@nestjs/common';

/** Metadata of routes: whether their visits score. */
export const SCORES_VISITS = Symbol('SCORES_VISITS');

/** Visits of this page, or of all pages of this controller, earn their reader a view. Needs the `VisitInterceptor`. */
export const ScoreVisit = (): ClassDecorator & MethodDecorator => SetMetadata(SCORES_VISITS, true);

/** Leaves a route out where its controller has {@link ScoreVisit}. */
export const SkipVisit = (): ClassDecorator & MethodDecorator => SetMetadata(SCORES_VISITS, false);
