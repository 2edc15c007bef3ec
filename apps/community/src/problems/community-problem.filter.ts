import { ProblemFilter } from '@laurel/activity';
import { type ArgumentsHost, Catch, ConflictException, Logger, ServiceUnavailableException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { databaseCode, isDatabaseAway, isRolledBack, namesWhatIsGone } from '../database/database-fault';
import { TooManyRequests } from '../throttling/too-many-requests';

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
    if (host.getType() !== 'http') return super.catch(exception, host);
    if (exception instanceof TooManyRequests) this.askToComeAgain(host, exception.retryAfterS);
    super.catch(this.databaseProblem(exception, host) ?? exception, host);
  }

  /** What the database's errors mean to the client; null for all others. */
  private databaseProblem(exception: unknown, host: ArgumentsHost): Error | null {
    if (namesWhatIsGone(exception)) {
      return new ConflictException('Your account, or what the request names, was removed in the meantime.');
    }
    const isAway = isDatabaseAway(exception);
    if (!isAway && !isRolledBack(exception)) return null;
    const what = isAway ? 'is away' : 'gave it up';
    const { id: requestId } = host.switchToHttp().getRequest<FastifyRequest>();
    const why = `the database ${what} (${databaseCode(exception)})`;
    this.databaseLogger.warn(`A request could not be answered: ${why}.`, { requestId });
    this.askToComeAgain(host, retryAfterS);
    return new ServiceUnavailableException(
      isAway
        ? 'The database is away: try again in a moment.'
        : 'Another change was made of the same things at once: try again in a moment.',
    );
  }

  private askToComeAgain(host: ArgumentsHost, seconds: number): void {
    const response: unknown = host.switchToHttp().getResponse();
    this.host.httpAdapter.setHeader(response, 'Retry-After', String(seconds));
  }
}
