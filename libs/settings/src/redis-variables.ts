import type { RedisOptions } from '@laurel/activity';
import {
  type NatMap,
  optional,
  type RedisNode,
  read,
  redisPassword,
  redisSchema,
  redisUrl,
  redisUsername,
  type Schema,
  sentinelName,
  servername,
  word,
} from '@laurel/activity/internals';
import { readFileSync } from 'node:fs';
import { present, readVariables, textOf, variableError, variableFault, type Variables } from './variables';

const nodes: Schema<readonly RedisNode[]> = (given, place) => {
  const read = String(given)
    .split(',')
    .map((node) => nodeOf(node.trim()));
  return read.includes(null)
    ? place.expect(given, 'host:port,host:port,… with ports from 1 to 65535')
    : read.filter((node) => node !== null);
};

const natMap: Schema<NatMap> = (given, place) => {
  const map: Record<string, RedisNode> = {};
  for (const pair of String(given).split(',')) {
    const [from, to, ...rest] = pair.split('=').map((node) => nodeOf(node.trim()));
    if (!from || !to || rest.length > 0) return place.expect(given, 'announced:port=reached:port,…');
    map[`${from.host}:${from.port}`] = to;
  }
  return map;
};

function nodeOf(node: string): RedisNode | null {
  const [, host, port] = /^(\[[0-9a-fA-F:]+\]|[^\s:]+):(\d{1,5})$/.exec(node) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return null;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** The content of a file that is named: of a container's secret, for one. */
const content: Schema<string> = (given, place) => {
  try {
    return readFileSync(String(given), 'utf8').trim();
  } catch {
    return place.refuse(given, 'name a file that this user can read');
  }
};

const secretIn: Schema<string> = (given, place) => {
  const read = content(given, place);
  return read === '' ? place.refuse(given, 'the file is empty: write what Redis asks for into it') : read;
};

/** The variables that say where Redis is, and how it lets the app in. */
export const redisVariables = {
  /** One server: `redis://`, `rediss://` or `unix:///path?db=0`. @defaultValue a private one */
  REDIS_URL: optional(redisUrl),
  /** A Cluster: some of its nodes, `host:port,host:port`. @defaultValue none */
  REDIS_CLUSTER_NODES: optional(nodes),
  /** The master that Sentinels watch: some Sentinels, `host:port,host:port`. @defaultValue none */
  REDIS_SENTINELS: optional(nodes),
  /** The name under which the Sentinels watch the master. @defaultValue required with `REDIS_SENTINELS` */
  REDIS_SENTINEL_NAME: optional(sentinelName),
  /** The user name at the Sentinels. @defaultValue none */
  REDIS_SENTINEL_USERNAME: optional(redisUsername),
  /** The password at the Sentinels. @defaultValue none */
  REDIS_SENTINEL_PASSWORD: optional(redisPassword),
  /** A file that has this password, such as a container's secret. @defaultValue none */
  REDIS_SENTINEL_PASSWORD_FILE: optional(secretIn),
  /** The user name at Redis: at a server, a Cluster or a master. @defaultValue that of `REDIS_URL` */
  REDIS_USERNAME: optional(redisUsername),
  /** The password at Redis. @defaultValue that of `REDIS_URL` */
  REDIS_PASSWORD: optional(redisPassword),
  /** A file that has this password, such as a container's secret. @defaultValue none */
  REDIS_PASSWORD_FILE: optional(secretIn),
  /**
   * `on` or `off`: TLS to Redis, a Cluster, Sentinels and their master.
   * @defaultValue `on` with `rediss://` or with one of the variables below
   */
  REDIS_TLS: optional(word(['on', 'off'])),
  /** PEM: the authorities that are trusted. @defaultValue the system's */
  REDIS_TLS_CA_FILE: optional(content),
  /** PEM: the app's own certificate, if Redis asks for one. It needs `REDIS_TLS_KEY_FILE`. @defaultValue none */
  REDIS_TLS_CERT_FILE: optional(content),
  /** PEM: the key of this certificate. @defaultValue none */
  REDIS_TLS_KEY_FILE: optional(content),
  /** The name in Redis' certificate. @defaultValue the host */
  REDIS_TLS_SERVERNAME: optional(servername),
  /** Where a Cluster's nodes, or a master, are reached: `announced:port=reached:port,…`. @defaultValue none */
  REDIS_NAT_MAP: optional(natMap),
};
type Name = keyof typeof redisVariables;

/** The names of the variables. */
export const redisVariableNames = Object.keys(redisVariables) as readonly Name[];

/** Those of which one says where Redis is. */
const ways = ['REDIS_URL', 'REDIS_CLUSTER_NODES', 'REDIS_SENTINELS'] as const satisfies readonly Name[];

/** Those that say something only beside one of others. */
const needed: readonly (readonly [Name, readonly Name[]])[] = [
  ['REDIS_SENTINELS', ['REDIS_SENTINEL_NAME']],
  ['REDIS_NAT_MAP', ['REDIS_CLUSTER_NODES', 'REDIS_SENTINELS']],
  ['REDIS_TLS_CERT_FILE', ['REDIS_TLS_KEY_FILE']],
  ['REDIS_TLS_KEY_FILE', ['REDIS_TLS_CERT_FILE']],
];

/** Those of which one is kept. */
const apart: readonly (readonly [Name, Name])[] = [
  ['REDIS_CLUSTER_NODES', 'REDIS_URL'],
  ['REDIS_SENTINELS', 'REDIS_URL'],
  ['REDIS_SENTINELS', 'REDIS_CLUSTER_NODES'],
  ['REDIS_PASSWORD_FILE', 'REDIS_PASSWORD'],
  ['REDIS_SENTINEL_PASSWORD_FILE', 'REDIS_SENTINEL_PASSWORD'],
];

/**
 * Where Redis is, as an option of the module; undefined where no variable says it.
 * @throws ActivityError `invalidOption`, naming the variable and what is allowed.
 */
export function redisEnvironment(variables: Variables): RedisOptions | undefined {
  const given = readVariables(redisVariables, variables);
  const isSet = (name: Name) => textOf(variables, name) !== undefined;
  for (const [name, other] of apart) {
    if (isSet(name) && isSet(other))
      throw variableFault(name, 'is set', `${other} is set as well; keep one of the two`);
  }
  for (const name of redisVariableNames) {
    const others = needed.find(([needy]) => needy === name)?.[1] ?? neededByAll(name);
    if (isSet(name) && others.length > 0 && !others.some(isSet)) {
      throw variableFault(name, 'is set alone', `set ${others.join(' or ')} as well`);
    }
  }
  const named = {
    url: given.REDIS_URL,
    nodes: given.REDIS_CLUSTER_NODES,
    sentinels: given.REDIS_SENTINELS,
    name: given.REDIS_SENTINEL_NAME,
    sentinelUsername: given.REDIS_SENTINEL_USERNAME,
    sentinelPassword: given.REDIS_SENTINEL_PASSWORD ?? given.REDIS_SENTINEL_PASSWORD_FILE,
    username: given.REDIS_USERNAME,
    password: given.REDIS_PASSWORD ?? given.REDIS_PASSWORD_FILE,
    tls: tlsOf(given),
    natMap: given.REDIS_NAT_MAP,
  };
  return ways.some(isSet) ? read(redisSchema, present(named), 'redis') : undefined;
}

function neededByAll(name: Name): readonly Name[] {
  if (ways.some((way) => way === name)) return [];
  return name.startsWith('REDIS_SENTINEL_') ? ['REDIS_SENTINELS'] : ways;
}

function tlsOf(given: ReturnType<typeof readVariables<typeof redisVariables>>): boolean | object | undefined {
  const certificates = {
    ca: given.REDIS_TLS_CA_FILE,
    cert: given.REDIS_TLS_CERT_FILE,
    key: given.REDIS_TLS_KEY_FILE,
    servername: given.REDIS_TLS_SERVERNAME,
  };
  const isAnyGiven = Object.values(certificates).some((one) => one !== undefined);
  if (given.REDIS_TLS === 'off' && isAnyGiven) {
    throw variableError('REDIS_TLS', 'off', 'use "on", or leave out REDIS_TLS_CA_FILE and the others');
  }
  return isAnyGiven ? certificates : given.REDIS_TLS && given.REDIS_TLS === 'on';
}
