import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  Logger,
  SetMetadata,
  UnauthorizedException,
} from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { KeyRight } from '../options/activity.options';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import type { HttpRequest } from './request';

/** `none`: the request has no key. `notConfigured`: no key is configured. */
export type ApiKeyCheck = 'valid' | 'none' | 'wrong' | 'notConfigured';

/** A request's key: its name and rights, if it is valid. */
interface Checked {
  readonly check: ApiKeyCheck;
  readonly key?: Pick<ActivitySettings['apiKeys'][number], 'name' | 'may'>;
}

/** A shorter key is told of at the start. */
const strongKeyLength = 16;

/** Metadata of routes: what a key must be allowed to. */
const NEEDS = Symbol('NEEDS');

/** The permission that a key needs on a route. Default: `read` on GET, else `operate`. */
export const Needs = (right: KeyRight): MethodDecorator => SetMetadata(NEEDS, right);

/** The permission that a route requires of a key. */
export function needOf(route: object, { method }: Pick<HttpRequest, 'method'>): KeyRight {
  const own = Reflect.getMetadata(NEEDS, route) as KeyRight | undefined;
  return own ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'operate');
}

/** The keys of service-to-service routes, sent as `Authorization: Bearer`. */
@Injectable()
export class ApiKey {
  private readonly keys: readonly (NonNullable<Checked['key']> & { readonly digest: Buffer })[];

  constructor(@Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings) {
    this.keys = settings.apiKeys.map(({ name, key, may }) => ({ name, may, digest: digestOf(key) }));
    for (const { key } of settings.apiKeys) {
      if (key.length >= strongKeyLength) continue;
      new Logger(ApiKey.name).warn(
        `apiKey has ${key.length} characters and can be found by trying: use ${strongKeyLength} or more.`,
      );
    }
  }

  /** Compares the request's key, whatever its permissions, in constant time. */
  check(request: Pick<HttpRequest, 'headers'>): ApiKeyCheck {
    return this.look(request).check;
  }

  /** The name of a request's key; null without a valid one. */
  nameOf(request: HttpRequest): string | null {
    return this.look(request).key?.name ?? null;
  }

  /** Whether a request has a key with this permission. */
  may(request: HttpRequest, right: KeyRight): boolean {
    return this.look(request).key?.may.includes(right) === true;
  }

  /** @throws ForbiddenException if the key of a request is valid, but lacks this permission. */
  assertMay(request: HttpRequest, right: KeyRight): void {
    if (this.check(request) !== 'valid' || this.may(request, right)) return;
    throw new ForbiddenException(`The API key may not ${right}: use one that may.`);
  }

  /** Whether a request may see a user's private data: it comes from that user, or its key has the permission. */
  isSelfOrKey(request: HttpRequest, userId: string | undefined, right: KeyRight = 'read'): boolean {
    if (this.may(request, right)) return true;
    const user = this.settings.currentUser(request);
    return user !== null && user === userId;
  }

  private look({ headers: { authorization } }: Pick<HttpRequest, 'headers'>): Checked {
    if (this.keys.length === 0) return { check: 'notConfigured' };
    const token = typeof authorization === 'string' ? /^Bearer +(\S+) *$/i.exec(authorization)?.[1] : undefined;
    if (token === undefined) return { check: 'none' };
    const digest = digestOf(token);
    // All are compared, so that the time tells nothing of which one it is.
    const [key] = this.keys.filter((one) => timingSafeEqual(digest, one.digest));
    return key ? { check: 'valid', key } : { check: 'wrong' };
  }
}

/** Digests have one length, which the comparison needs; the key's own length stays hidden. */
function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

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
  if (check === 'valid') return true;
  if (check === 'wrong') throw new ForbiddenException('The API key is not valid.');
  if (check === 'notConfigured') throw new ForbiddenException('This route is closed: no API key is configured.');
  throw new UnauthorizedException('This route needs the API key, sent as "Authorization: Bearer <key>".');
}
