import { ProblemFilter } from '@laurel/activity';
import { type ArgumentsHost, Catch, ConflictException, HttpStatus, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { databaseCode, isDatabaseAway, isRolledBack, namesWhatIsGone } from '../database/database-fault';
import { TryAgainLater } from './try-again-later';

/** After how many seconds to try again when the database is away. */
const retryAfterS = 2;

/**
 * Every error as a problem document; too many requests as a 429, a database that is away or had to give a transaction
 * up as a 503, both with Retry-After; a user or a row that was erased in the middle of a request as a 409.
 */
@Catch()
export class CommunityProblemFilter extends ProblemFilter {
  private readonly databaseLogger = new Logger('Database');

  constructor(private readonly host: HttpAdapterHost) {
    super(host);
  }

  override catch(exception: unknown, host: ArgumentsHost): void {
    const problem = host.getType() === 'http' ? this.problemOf(exception, host) : exception;
    if (problem instanceof TryAgainLater) {
      const response: unknown = host.switchToHttp().getResponse();
      this.host.httpAdapter.setHeader(response, 'Retry-After', String(problem.retryAfterS));
    }
    super.catch(problem, host);
  }

  /** Turns the database's errors into answers for the client; all others stay as they are. */
  private problemOf(exception: unknown, host: ArgumentsHost): unknown {
    if (namesWhatIsGone(exception)) {
      return new ConflictException('Your account, or what the request names, was removed in the meantime.');
    }
    const isAway = isDatabaseAway(exception);
    if (!isAway && !isRolledBack(exception)) return exception;
    const { id: requestId } = host.switchToHttp().getRequest<FastifyRequest>();
    const why = `the database ${isAway ? 'is away' : 'gave it up'} (${databaseCode(exception)})`;
    this.databaseLogger.warn(`A request could not be answered: ${why}.`, { requestId });
    const what = isAway ? 'The database is away' : 'Another change was made of the same things at once';
    return new TryAgainLater(`${what}: try again in a moment.`, retryAfterS, HttpStatus.SERVICE_UNAVAILABLE);
  }
}
