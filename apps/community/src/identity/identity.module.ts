import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { SignedInGuard } from './signed-in';
import { tokenLifeS, Tokens } from './tokens';

/** Tokens and the guards that read them: every feature asks which user sent a request. */
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
  providers: [SignedInGuard, Tokens],
  exports: [SignedInGuard, Tokens],
})
export class IdentityModule {}
