import { Get, Query } from '@nestjs/common';
import { Answers } from '../core/http/problem.responses';
import { Operation } from '../core/extensions/operation';
import { QueryPipe, WholeNumber } from '../core/http/validation';
import { OperatorRoutes } from '../shared/operator-routes';
import { maxOperations, Operations } from './operations';

/** How many operations. */
export class OperationsQuery {
  @WholeNumber({ min: 1, max: maxOperations, default: 100, description: 'How many at most.' })
  readonly limit?: number;
}

/** Operators' operations, the latest first. */
export class OperationsAnswer {
  readonly operations: readonly Operation[];
}

/** The route of operators' operations. */
@OperatorRoutes('activity', 'activity')
export class OperatorsController {
  constructor(private readonly done: Operations) {}

  @Get('operations')
  @Answers(OperationsAnswer, 'Who did what to whom, when and why, by an API key: the last 10,000, the latest first.')
  async operations(@Query(QueryPipe) { limit = 100 }: OperationsQuery): Promise<OperationsAnswer> {
    return { operations: await this.done.recent(limit) };
  }
}
