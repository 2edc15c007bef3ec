import { Global, Module } from '@nestjs/common';
import { SignInThrottle } from './sign-in-throttle';
import { ThrottleMetrics } from './throttle-metrics';

/** How many requests are taken from one user, address or name. */
@Global()
@Module({ providers: [SignInThrottle, ThrottleMetrics], exports: [SignInThrottle, ThrottleMetrics] })
export class ThrottlingModule {}
