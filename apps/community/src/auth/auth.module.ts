import { Module } from '@nestjs/common';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { Passwords } from './passwords';

/** Registering and signing in. */
@Module({ controllers: [AuthController], providers: [AuthService, Passwords] })
export class AuthModule {}
