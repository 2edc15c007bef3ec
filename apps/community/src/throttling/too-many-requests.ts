import { HttpException, HttpStatus } from '@nestjs/common';

/** A 429 that says when to come again. */
export class TooManyRequests extends HttpException {
  constructor(
    message: string,
    readonly retryAfterS: number,
  ) {
    super(message, HttpStatus.TOO_MANY_REQUESTS);
  }
}
