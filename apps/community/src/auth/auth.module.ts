import { Module } from '@nestjs/common';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { SignInThrottle } from '../throttling/sign-in-throttle';
import { Passwords } from './passwords';

/** Registering and signing in. */
@Module({ controllers: [AuthController], providers: [AuthService, Passwords, SignInThrottle] })
export class AuthModule {}
