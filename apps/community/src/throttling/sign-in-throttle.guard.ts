import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SignInThrottle } from './sign-in-throttle';

/** Bounds how often an address may register or sign in. */
@Injectable()
export class SignInThrottleGuard implements CanActivate {
  constructor(private readonly throttle: SignInThrottle) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.throttle.countAddress(context.switchToHttp().getRequest<FastifyRequest>().ip);
    return true;
  }
}
