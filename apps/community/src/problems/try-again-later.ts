import { HttpException, HttpStatus } from '@nestjs/common';

/** A refusal with the time after which to try again. */
export class TryAgainLater extends HttpException {
  constructor(
    message: string,
    readonly retryAfterS: number,
    status = HttpStatus.TOO_MANY_REQUESTS,
  ) {
    super(message, status);
  }
}
