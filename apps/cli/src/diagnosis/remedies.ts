import { causesOf, refusalCode } from '@laurel/activity/internals';

const credentials = 'redis.username and redis.password (REDIS_USERNAME, REDIS_PASSWORD)';

/** Remedies for errors of Redis, by their code. */
const ofReplies: Readonly<Record<string, string>> = {
  OOM: 'Redis is at its maxmemory: raise it, and keep maxmemory-policy noeviction',
  NOPERM: "the connection's user may not run a command: grant it all commands on the keys of the prefix",
  NOAUTH: `Redis asks for a password: set ${credentials}, or name them in redis.url`,
  WRONGPASS: `Redis refuses this user or password: correct ${credentials}, or what redis.url has of them`,
  DENIED: 'Redis takes connections from its own machine alone (protected-mode): let it ask for a password',
  READONLY: 'the connection leads to a replica: name the master, a Cluster by its nodes, or Sentinels',
  MISCONF: 'Redis cannot write to its disk: see its log',
  NOREPLICAS: 'Redis has fewer replicas than its min-replicas-to-write',
  WRONGTYPE: 'a key under the prefix is of another type: something else writes there',
  MOVED: 'this is a node of a Redis Cluster: name it in redis.nodes (REDIS_CLUSTER_NODES) in place of redis.url',
};

/** Answers that have the code `ERR` alone. */
const ofErrors: readonly (readonly [RegExp, string])[] = [
  [/cluster support disabled/, 'this is no Redis Cluster: name it in redis.url (REDIS_URL) in place of redis.nodes'],
];

const unknownAuthority =
  "Redis' certificate is of an authority that is not trusted here: give the authority's certificate in redis.tls.ca (REDIS_TLS_CA_FILE)";

/** ... about what TLS says, by the codes of Node.js. */
const ofTls: readonly (readonly [RegExp, string])[] = [
  [/^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)_)/, unknownAuthority],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, "Redis' certificate is not valid now: renew it, or set the clock"],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "Redis' certificate has another name than its address: use the name, or give it in redis.tls.servername (REDIS_TLS_SERVERNAME)",
  ],
  [
    /^ERR_SSL_.*ALERT/,
    'Redis refuses the certificate of this app, or that there is none: set redis.tls.cert and redis.tls.key (REDIS_TLS_CERT_FILE, REDIS_TLS_KEY_FILE)',
  ],
  [/^ERR_(SSL|OSSL)_/, 'TLS fails: compare redis.tls (REDIS_TLS_…) with the settings of Redis'],
];

/** ... about a Unix socket. */
const ofSockets: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such Unix socket: correct redis.url, or set unixsocket in Redis',
  EACCES: 'this user may not use the Unix socket: set unixsocketperm in Redis',
};

/** The remedy for an error of Redis or of a connection; null: wait, or none is known. */
export function remedyOf(error: unknown): string | null {
  const reply = refusalCode(error);
  if (reply !== null) return ofReplies[reply] ?? matching(ofErrors, messageOf(error));
  const code = codeOf(error);
  if (code === null) return null;
  const socket = ofSockets[code];
  // An error of a Unix socket has its path for an address, and no port.
  const isSocket = socket !== undefined && 'address' in (error as Error) && !('port' in (error as Error));
  return isSocket ? socket : matching(ofTls, code);
}

/** The code of an error of the system or of TLS, or of its cause. */
export function codeOf(error: unknown): string | null {
  for (const cause of causesOf(error)) if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return null;
}

function matching(table: readonly (readonly [RegExp, string])[], said: string): string | null {
  return table.find(([pattern]) => pattern.test(said))?.[1] ?? null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
