import { textOf, variableError, type Variables, wholeOf } from '@laurel/settings';
import { isIP } from 'node:net';
import type { TrustedProxies } from '../options/community.options';
import { defaultThrottleLimits, type ThrottleLimits } from '../options/throttle-limits';

const allowedLimit = [1, 1_000_000_000] as const;
const namedNetworks: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** LAUREL_THROTTLE and its three limits; undefined where it is off. */
export function throttleFrom(variables: Variables): ThrottleLimits | undefined {
  const { requestsPerMinute, signInsPerAddress, triesPerName } = defaultThrottleLimits;
  const limits = {
    requestsPerMinute: wholeOf(variables, 'LAUREL_THROTTLE_REQUESTS', allowedLimit) ?? requestsPerMinute,
    signInsPerAddress: wholeOf(variables, 'LAUREL_THROTTLE_SIGN_INS', allowedLimit) ?? signInsPerAddress,
    triesPerName: wholeOf(variables, 'LAUREL_THROTTLE_TRIES', allowedLimit) ?? triesPerName,
  };
  const word = textOf(variables, 'LAUREL_THROTTLE') ?? 'on';
  if (word === 'on') return limits;
  if (word === 'off') return undefined;
  throw variableError('LAUREL_THROTTLE', word, 'use on or off');
}

/** TRUST_PROXY: a number of proxies, or their addresses. Never everybody: then each client would choose its address. */
export function trustProxyFrom(variables: Variables): TrustedProxies | undefined {
  const text = textOf(variables, 'TRUST_PROXY');
  if (text === undefined) return undefined;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const proxies = text.split(',').map((proxy) => proxy.trim());
  if (proxies.every(isProxy)) return proxies;
  throw variableError(
    'TRUST_PROXY',
    text,
    'use the number of proxies in front of the app, 1 to 99, or their addresses and networks, such as 10.0.0.0/8,loopback',
  );
}

function isProxy(proxy: string): boolean {
  if (namedNetworks.includes(proxy)) return true;
  const [address = '', bits, ...rest] = proxy.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

/** CORS_ORIGINS: whole origins, as browsers send them. */
export function corsOriginsFrom(variables: Variables): readonly string[] {
  const text = textOf(variables, 'CORS_ORIGINS');
  if (text === undefined) return [];
  const origins = text.split(',').map((origin) => origin.trim());
  if (origins.every(isOrigin)) return origins;
  throw variableError('CORS_ORIGINS', text, 'use origins such as https://www.example.org,https://example.org:8443');
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
