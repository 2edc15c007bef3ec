import { Global, Module } from '@nestjs/common';
import { SignInThrottle } from './sign-in-throttle';

/** How many requests are taken from one user, address or name. */
@Global()
@Module({ providers: [SignInThrottle], exports: [SignInThrottle] })
export class ThrottlingModule {}
