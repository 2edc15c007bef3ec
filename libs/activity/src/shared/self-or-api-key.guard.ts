import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { ApiKey, needOf } from '../core/http/api-key';
import type { HttpRequest } from '../core/http/request';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';

/** A request for data that one user alone may see: its path names the user. */
type OwnRequest = HttpRequest & { readonly params: { readonly userId?: string } };

/** Admits the user whom the route's `:userId` names, and API keys with the permission. */
@Injectable()
export class SelfOrApiKeyGuard implements CanActivate {
  constructor(
    private readonly apiKey: ApiKey,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<OwnRequest>();
    const right = needOf(context.getHandler(), request);
    if (this.apiKey.isSelfOrKey(request, request.params.userId, right)) return true;
    this.apiKey.assertMay(request, right);
    const message = 'This route is for the user it names or for the API key.';
    const isNobody = this.settings.currentUser(request) === null && request.headers.authorization === undefined;
    throw isNobody ? new UnauthorizedException(message) : new ForbiddenException(message);
  }
}
