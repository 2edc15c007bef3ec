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

/** Checks that the user of a token exists: a token outlives the user's erasure, and a database that was emptied. */
abstract class UserGuard {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** One query. */
  protected async exists(userId: string): Promise<boolean> {
    const found = await this.database.select({ id: users.id }).from(users).where(eq(users.id, userId));
    return found.length === 1;
  }
}

/** Lets in users who are signed in: a good token, of a user who exists. */
@Injectable()
export class SignedInGuard extends UserGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { user } = context.switchToHttp().getRequest<IdentifiedRequest>();
    if (user && (await this.exists(user.id))) return true;
    throw new UnauthorizedException('Sign in first: POST /auth/login gives a token, sent as "Authorization: Bearer".');
  }
}

/** Lets every request in. A token of a user who does not exist counts as none: the visit earns nothing. */
@Injectable()
export class ExistingReaderGuard extends UserGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<IdentifiedRequest>();
    if (request.user && !(await this.exists(request.user.id))) request.user = null;
    return true;
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
