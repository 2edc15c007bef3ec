import type { RedisClient } from '@laurel/leaderboard';
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { type Access, lookAt } from './look-at';
import type { ConnectionFault, FaultFinder } from './connection-fault';
import { codeOf, remedyOf } from './remedies';

/** Servers that do not answer at all. */
const away = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/;

/** The reasons that Sentinels are refused for. */
const ofSentinels: readonly (readonly [RegExp, (address: string, name: string) => string])[] = [
  [
    /ERR No such master/,
    (address, name) =>
      `the Sentinel at ${address} watches no master named "${name}": correct redis.name (REDIS_SENTINEL_NAME)`,
  ],
  [
    /because (NOAUTH|WRONGPASS)/,
    (address) =>
      `the Sentinel at ${address} refuses the user or the password, or that there is none: set ` +
      'redis.sentinelUsername and redis.sentinelPassword (REDIS_SENTINEL_USERNAME, REDIS_SENTINEL_PASSWORD)',
  ],
  [
    /because ERR unknown command/,
    (address) => `${address} is no Sentinel: name Sentinels in redis.sentinels, or this server in redis.url`,
  ],
];

/**
 * Finds out why a client is not ready. ioredis says too little of the connections of a Cluster and of Sentinels, and of
 * a server that speaks TLS alone or none: then this looks at that server by itself.
 */
export function faultFinder(client: RedisClient, tell: (fault: ConnectionFault) => void): FaultFinder {
  const search = new FaultSearch(client, tell);
  return (event, error, address = '') => {
    if (event === 'error') search.onError(error);
    else if (event === 'node error') search.judge(error, address, true);
    else search.onSentinelError(error);
  };
}

class FaultSearch {
  private isLooking = false;
  /** Why the last Sentinel was of no use: another may be. */
  private ofSentinel: string | null = null;

  constructor(
    private readonly client: RedisClient,
    private readonly tell: (fault: ConnectionFault) => void,
  ) {}

  onError(error: Error): void {
    if (this.client.isCluster) return; // its nodes have said why
    const { host, port, sentinels } = (this.client as Redis).options;
    if (!sentinels) return this.judge(error, `${host}:${port}`);
    if (!error.message.startsWith('All sentinels are unreachable')) return this.judge(error, addressIn(error), true);
    if (this.ofSentinel !== null) this.found({ remedy: this.ofSentinel, mayPass: false });
  }

  onSentinelError({ message }: Error): void {
    const [, address = ''] = /sentinel (\S+:\d+) /.exec(message) ?? [];
    const { name, sentinelTLS: tls, sentinelUsername: username, sentinelPassword: password } = this.options;
    const known = ofSentinels.find(([pattern]) => pattern.test(message));
    if (known) this.ofSentinel = known[1](address, name ?? '');
    else this.look(address, { ...(tls && { tls }), ...(username && { username }), ...(password && { password }) });
  }

  /** The message for each connection. */
  private get options(): RedisOptions {
    return (
      (this.client.isCluster ? (this.client as Cluster).options.redisOptions : (this.client as Redis).options) ?? {}
    );
  }

  /** @param isNamed whether Redis has named the address, which may be one of another network. */
  judge(error: Error, address: string | null, isNamed = false): void {
    const remedy = remedyOf(error);
    const code = codeOf(error) ?? '';
    if (remedy !== null) this.found({ remedy, mayPass: false });
    else if (address === null) return;
    else if (!isNamed || !away.test(code)) this.look(address, this.options);
    else {
      const told = `Redis names ${address}, which does not answer here (${code}): start it, or set where it is reached`;
      this.found({ remedy: `${told} in redis.natMap (REDIS_NAT_MAP)`, mayPass: true });
    }
  }

  private look(address: string, access: Access): void {
    if (this.isLooking || this.client.status === 'ready') return;
    this.isLooking = true;
    const colon = address.lastIndexOf(':');
    void lookAt({ ...access, host: address.slice(0, colon), port: Number(address.slice(colon + 1)) })
      .then((remedy) => remedy !== null && this.found({ remedy, mayPass: false }))
      .finally(() => (this.isLooking = false));
  }

  private found(fault: ConnectionFault): void {
    if (this.client.status !== 'ready') this.tell(fault);
  }
}

/** Where a connection was to go. */
function addressIn(error: object): string | null {
  return 'address' in error && 'port' in error ? `${String(error.address)}:${String(error.port)}` : null;
}
