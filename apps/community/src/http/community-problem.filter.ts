import { ProblemFilter } from '@laurel/activity';
import { type ArgumentsHost, Catch, Logger, ServiceUnavailableException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TooManyRequests } from '../throttling/too-many-requests';
import { isDatabaseAway } from '../database/database-fault';

/** After how many seconds to try again when the database is away. */
const retryAfterS = 2;

/** Every error as a problem document; too many requests as a 429, a database that is away as a 503 that says when to come again. */
@Catch()
export class CommunityProblemFilter extends ProblemFilter {
  private readonly databaseLogger = new Logger('Database');

  constructor(private readonly host: HttpAdapterHost) {
    super(host);
  }

  override catch(exception: unknown, host: ArgumentsHost): void {
    if (host.getType() === 'http' && exception instanceof TooManyRequests) {
      const throttled: unknown = host.switchToHttp().getResponse();
      this.host.httpAdapter.setHeader(throttled, 'Retry-After', String(exception.retryAfterS));
    }
    if (host.getType() !== 'http' || !isDatabaseAway(exception)) return super.catch(exception, host);
    this.databaseLogger.warn('A request could not be answered: the database is away.');
    const response: unknown = host.switchToHttp().getResponse();
    this.host.httpAdapter.setHeader(response, 'Retry-After', String(retryAfterS));
    super.catch(new ServiceUnavailableException('The database is away: try again in a moment.'), host);
  }
}
