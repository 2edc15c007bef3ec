import { digits, optional, type Schema, value, whole } from '@laurel/settings';
import { isIP } from 'node:net';
import type { TrustedProxies } from '../options/community.options';

const namedNetworks: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

const limit = digits(whole(1, 1_000_000_000));

/** A switch. */
export const onOrOff = value((given): given is 'on' | 'off' => given === 'on' || given === 'off', 'on or off');

/** A number of proxies, or their addresses. Never everybody: then each client would choose its address. */
const proxies: Schema<TrustedProxies> = (given, place) => {
  const text = String(given);
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const named = partsOf(text);
  return named.every(isProxy)
    ? named
    : place.expect(
        given,
        'the number of proxies in front of the app, 1 to 99, or their addresses and networks, such as 10.0.0.0/8,loopback',
      );
};

/** Whole origins, as browsers send them. */
const origins: Schema<readonly string[]> = (given, place) => {
  const named = partsOf(String(given));
  return named.every(isOrigin)
    ? named
    : place.expect(given, 'origins such as https://www.example.org,https://example.org:8443');
};

/** The bounds of requests by sender. */
export const guardVariables = {
  /** Whether requests are bounded by number; those with the API key never are. @defaultValue `on` (the demo: `off`) */
  LAUREL_THROTTLE: optional(onOrOff, 'on'),
  /** Requests a minute of a signed-in user, or of an address, to one instance. @defaultValue `6000` */
  LAUREL_THROTTLE_REQUESTS: optional(limit, 6_000),
  /** Registrations and sign-ins of an address in ten minutes. @defaultValue `100` */
  LAUREL_THROTTLE_SIGN_INS: optional(limit, 100),
  /** Registrations and wrong passwords for a name in fifteen minutes. @defaultValue `10` */
  LAUREL_THROTTLE_TRIES: optional(limit, 10),
  /** The proxies whose `X-Forwarded-For` is used: their number, or `10.0.0.0/8,loopback`. @defaultValue none */
  TRUST_PROXY: optional(proxies),
  /** Foreign origins whose pages may ask: `https://a.example,https://b.example`. @defaultValue none */
  CORS_ORIGINS: optional(origins),
};

function partsOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
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

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
