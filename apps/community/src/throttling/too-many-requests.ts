import { HttpException, HttpStatus } from '@nestjs/common';

/** A 429 with the time after which to try again. */
export class TooManyRequests extends HttpException {
  constructor(
    message: string,
    readonly retryAfterS: number,
  ) {
    super(message, HttpStatus.TOO_MANY_REQUESTS);
  }
}
