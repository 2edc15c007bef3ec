import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../community.options';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { Passwords } from './passwords';
import { SignedInGuard } from './signed-in';
import { tokenLifeS, Tokens } from './tokens';

/** Who is who: every other feature asks it. */
@Global()
@Module({
  imports: [
    JwtModule.registerAsync({
      inject: [COMMUNITY_OPTIONS],
      useFactory: ({ authSecret }: CommunityOptions) => ({
        secret: authSecret,
        signOptions: { algorithm: 'HS256', expiresIn: tokenLifeS },
        // The one algorithm we sign with: a token must not choose its own.
        verifyOptions: { algorithms: ['HS256'] },
      }),
    }),
  ],
  controllers: [AuthController],
  providers: [AuthService, Passwords, SignedInGuard, Tokens],
  exports: [SignedInGuard, Tokens],
})
export class AuthModule {}
