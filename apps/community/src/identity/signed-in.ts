import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { ApiProblems } from '@laurel/activity/http';
import { ApiBearerAuth } from '@nestjs/swagger';
import { eq } from 'drizzle-orm';
import { DATABASE, type Database } from '../database/database';
import { users } from '../database/schema';
import type { Identity } from './tokens';

/** A request, with its user where it brought a good token. */
export interface IdentifiedRequest {
  user?: Identity | null;
}

/** Lets every request in. A token of a user who does not exist (erased, or of another database) counts as none. */
@Injectable()
export class ExistingReaderGuard implements CanActivate {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** One query for a request with a token. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<IdentifiedRequest>();
    const ofUser = request.user && eq(users.id, request.user.id);
    if (ofUser && (await this.database.$count(users, ofUser)) === 0) request.user = null;
    return true;
  }
}

/** Lets in users who are signed in: a good token, of a user who exists. */
@Injectable()
export class SignedInGuard extends ExistingReaderGuard {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    if (context.switchToHttp().getRequest<IdentifiedRequest>().user) return true;
    throw new UnauthorizedException('Sign in first: POST /auth/login gives a token, sent as "Authorization: Bearer".');
  }
}

/** A route for users who are signed in. */
export function SignedIn(): MethodDecorator & ClassDecorator {
  return applyDecorators(UseGuards(SignedInGuard), ApiBearerAuth(), ApiProblems(401));
}

/** Injects the id of the user who is signed in; null where nobody is and the route lets everyone in. */
export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null =>
    context.switchToHttp().getRequest<IdentifiedRequest>().user?.id ?? null,
);
