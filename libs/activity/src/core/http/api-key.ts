import { ForbiddenException, Inject, Injectable, Logger, SetMetadata } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpRequest } from './request';
import type { KeyRight } from '../options/activity.options';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';

/** `none`: the request brings no key. `notConfigured`: there is none that could match. */
export type ApiKeyCheck = 'valid' | 'none' | 'wrong' | 'notConfigured';

/** What is known of a request's key: its name and rights, where it is valid. */
interface Checked {
  readonly check: ApiKeyCheck;
  readonly key?: Pick<ActivitySettings['apiKeys'][number], 'name' | 'may'>;
}

/** A shorter key is told of at the start. */
const strongKeyLength = 16;

/** Metadata of routes: what a key must be allowed to. */
const NEEDS = Symbol('NEEDS');

/** What a key must be allowed to on a route. Default: `read` on GET, else `operate`. */
export const Needs = (right: KeyRight): MethodDecorator => SetMetadata(NEEDS, right);

/** What a key must be allowed to by a route. */
export function needOf(route: object, { method }: Pick<HttpRequest, 'method'>): KeyRight {
  const own = Reflect.getMetadata(NEEDS, route) as KeyRight | undefined;
  return own ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'operate');
}

/** The keys of service-to-service routes, sent as `Authorization: Bearer`. */
@Injectable()
export class ApiKey {
  private readonly keys: readonly (NonNullable<Checked['key']> & { readonly digest: Buffer })[];
  /** By the headers of a request: hooks, guards and routes ask for the same key. */
  private readonly checked = new WeakMap<object, Checked>();

  constructor(@Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings) {
    this.keys = settings.apiKeys.map(({ name, key, may }) => ({ name, may, digest: digestOf(key) }));
    for (const { key } of settings.apiKeys) {
      if (key.length >= strongKeyLength) continue;
      new Logger(ApiKey.name).warn(
        `apiKey has ${key.length} characters and can be found by trying: use ${strongKeyLength} or more.`,
      );
    }
  }

  /** Looks at the request's key, whatever it may do; takes the same time wherever it differs. */
  check(request: Pick<HttpRequest, 'headers'>): ApiKeyCheck {
    return this.look(request).check;
  }

  /** The name of a request's key; null: it brings none that is valid. */
  nameOf(request: HttpRequest): string | null {
    return this.look(request).key?.name ?? null;
  }

  /** Whether a request brings a key that may do something. */
  may(request: HttpRequest, right: KeyRight): boolean {
    return this.look(request).key?.may.includes(right) === true;
  }

  /** @throws ForbiddenException where the key of a request is valid, and may not do something. */
  assertMay(request: HttpRequest, right: KeyRight): void {
    if (this.check(request) !== 'valid' || this.may(request, right)) return;
    throw new ForbiddenException(`The API key may not ${right}: use one that may.`);
  }

  /** Whether a request brings a key that may, or comes from the user: who may see what is theirs alone. */
  isSelfOrKey(request: HttpRequest, userId: string | undefined, right: KeyRight = 'read'): boolean {
    if (this.may(request, right)) return true;
    const user = this.settings.currentUser(request);
    return user !== null && user === userId;
  }

  private look({ headers }: Pick<HttpRequest, 'headers'>): Checked {
    if (this.keys.length === 0) return { check: 'notConfigured' };
    const { authorization } = headers;
    if (typeof authorization !== 'string') return { check: 'none' };
    let checked = this.checked.get(headers);
    if (checked === undefined) this.checked.set(headers, (checked = this.find(authorization)));
    return checked;
  }

  private find(authorization: string): Checked {
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
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
