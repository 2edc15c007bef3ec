import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import type { HttpRequest } from './request';
import { ApiKey, type ApiKeyCheck, needOf } from './api-key';

/** Requires an API key with the permission: 401 without a key, 403 with another, or if none is configured. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly apiKey: ApiKey) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    this.apiKey.assertMay(request, needOf(context.getHandler(), request));
    return admitted(this.apiKey.check(request));
  }
}

/** @throws UnauthorizedException or ForbiddenException unless the key is valid. */
export function admitted(check: ApiKeyCheck): true {
  switch (check) {
    case 'valid':
      return true;
    case 'none':
      throw new UnauthorizedException('This route needs the API key, sent as "Authorization: Bearer <key>".');
    case 'wrong':
      throw new ForbiddenException('The API key is not valid.');
    case 'notConfigured':
      throw new ForbiddenException('This route is closed: no API key is configured.');
  }
}
