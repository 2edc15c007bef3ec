import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UnauthorizedException,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** Who is signed in. Laurel asks for `request.user.id`, unless `currentUser` says something else. */
export interface SignedIn {
  readonly id: string;
  readonly isStaff: boolean;
}

/** A table of your database stands behind this. */
export const isStaff = (id: string | null): boolean => id === 'grace';

interface SomeRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: SignedIn;
}

const IS_PUBLIC = Symbol('IS_PUBLIC');
/** Lets everybody in; a user who is signed in is known all the same. */
export const Public = (): ClassDecorator & MethodDecorator => SetMetadata(IS_PUBLIC, true);

/** The guard of the whole app. A header stands here for your session or token. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<SomeRequest>();
    const id = request.headers['x-user'];
    if (id !== undefined) request.user = { id, isStaff: isStaff(id) };
    const isPublic = this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [context.getHandler(), context.getClass()]);
    if (request.user === undefined && !isPublic) throw new UnauthorizedException('Sign in first.');
    return true;
  }
}

/** Lets in who is signed in and belongs to the staff. */
@Injectable()
export class StaffGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<SomeRequest>().user?.isStaff ?? false;
  }
}
