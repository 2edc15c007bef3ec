import type { RedisClient } from '@laurel/leaderboard';
import {
  type EntriesOf,
  flag,
  hasMethod,
  isObject,
  list,
  made,
  object,
  optional,
  refused,
  type Schema,
  secret,
  text,
  whole,
} from '../schema/schema';
import type { NatMap, RedisNode, RedisOptions, RedisTls } from './redis-options';

// Settings of options and of environment variables alike.

/** The address of a Redis server. */
export const redisUrl = secret(
  (given) => /^(rediss?:\/\/|unix:\/\/\/[^?#]+(\?db=\d+)?$)/.test(given) && URL.canParse(given),
  'it may hold a password',
  'redis://host:port, rediss://host:port or unix:///path?db=0',
);

/** A user of Redis' ACL. */
export const redisUsername = text(/^\S+$/, 'a user of Redis, without spaces');

/** The credentials for Redis. */
export const redisPassword = secret((given) => given.length > 0, 'it is a secret', 'what Redis asks for');

/** The name of a master that Sentinels watch. */
export const sentinelName = text(/^\S+$/, 'the name under which the Sentinels watch the master, such as "mymaster"');

/** The name in a certificate. */
export const servername = text(/^\S+$/, "the name that Redis' certificate has");

const pem = (what: string) =>
  secret((given) => given.includes('-----BEGIN '), 'it may be a key', `${what} in PEM, not the name of its file`);

const host = text(/^\S+$/, 'a host name or an address');
const node = object({ host, port: whole(1, 65_535) } satisfies EntriesOf<RedisNode>);

const nodes = made(list(node), (named, place) =>
  named.length > 0 ? named : place.refuse(named, 'name at least one node'),
);

const natMap: Schema<NatMap> = (given, place) => {
  if (!isObject(given)) return place.expect(given, '{ "host:port": { host, port }, … }');
  const read = Object.entries(given).map(([from, to]) => {
    const at = place.property(JSON.stringify(from));
    return [from, /^\S+:\d+$/.test(from) ? node(to, at) : at.fault('is no address: use "host:port".')] as const;
  });
  return read.some(([, to]) => to === refused) ? refused : (Object.freeze(Object.fromEntries(read)) as NatMap);
};

const certificates = made(
  object({
    ca: optional(pem("the authorities' certificates")),
    cert: optional(pem('a certificate')),
    key: optional(pem("the certificate's key")),
    servername: optional(servername),
  }),
  (read, place): RedisTls | typeof refused =>
    'cert' in read === 'key' in read ? read : place.fault('has one of cert and key: give both, or neither.'),
);

const access = {
  username: optional(redisUsername),
  password: optional(redisPassword),
  tls: optional<boolean | RedisTls>((given, place) => (isObject(given) ? certificates : flag)(given, place)),
};

const client: Schema<RedisClient> = (given, place) => {
  if (!isClient(given)) return place.refuse(typeof given, 'use a Redis or Cluster of ioredis');
  const { keyPrefix = '' } = given.options;
  if (keyPrefix.length === 0) return given;
  const advice = 'use a client without one, and set the option prefix';
  return place.fault(`has the keyPrefix ${JSON.stringify(String(keyPrefix))}: ${advice}.`);
};

/** A client that does not say whether it is a Cluster's would be taken for one of a single server. */
function isClient(given: unknown): given is RedisClient {
  return hasMethod(given, 'evalsha') && typeof Reflect.get(given as object, 'isCluster') === 'boolean';
}

const server = made(object({ url: redisUrl, ...access }), (read, place) => {
  const { username, password, protocol } = new URL(read.url);
  const isTwice = (username !== '' && 'username' in read) || (password !== '' && 'password' in read);
  if (isTwice) return place.fault('has user or password twice: give them in url or beside it.');
  if (protocol === 'unix:' && read.tls) return place.fault('has tls for a Unix socket, which has none: leave it out.');
  return protocol === 'rediss:' && read.tls === false
    ? place.fault('has tls: false beside rediss://: keep one of the two.')
    : read;
});

/** Each way by the option that names it. */
const ways = {
  url: server,
  nodes: object({ nodes, ...access, natMap: optional(natMap) }),
  sentinels: object({
    ...{ sentinels: nodes, name: sentinelName, ...access, natMap: optional(natMap) },
    ...{ sentinelUsername: optional(redisUsername), sentinelPassword: optional(redisPassword) },
  }),
  client: object({ client }),
} satisfies Record<string, Schema<RedisOptions>>;

/** How Redis is reached. */
export const redisSchema: Schema<RedisOptions> = (given, place) => {
  const names = isObject(given) ? Object.keys(given) : [];
  const [way, ...others] = names.filter((name): name is keyof typeof ways => Object.hasOwn(ways, name));
  if (way !== undefined && others.length === 0) return ways[way](given, place);
  const told = isObject(given) ? names : given && typeof given;
  return place.expect(
    told,
    '{ url: "redis://…" }, { nodes: [{ host, port }, …] }, { sentinels: [{ host, port }, …], name } or { client }',
  );
};
