import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import type { HttpRequest } from './request';
import { ApiKey, type ApiKeyCheck } from './api-key';

/** Lets in who brings the API key: 401 without one, 403 with a wrong one and where none is configured. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly apiKey: ApiKey) {}

  canActivate(context: ExecutionContext): boolean {
    return admitted(this.apiKey.check(context.switchToHttp().getRequest<HttpRequest>()));
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
