import { isOneSlipAway, redisVariableNames, type Variables } from '@laurel/settings';

/** Variables that other apps have under other names; those that begin with LAUREL_ are found by their prefix. */
const likened = [...redisVariableNames, 'DATABASE_URL', 'AUTH_SECRET', 'TRUST_PROXY', 'CORS_ORIGINS'] as const;

/** Names under which other programs look for what these name. */
const elsewhere: Readonly<Partial<Record<(typeof likened)[number], RegExp>>> = {
  REDIS_URL: /^(REDIS(_(HOST|PORT|ADDR(ESS)?|SERVER|DSN|CONNECTION|TLS_URL))?|VALKEY_UR[IL])$/,
  REDIS_USERNAME: /^(REDIS|VALKEY)_USER(NAME)?$/,
  REDIS_PASSWORD: /^((REDIS|VALKEY)_(PASS(WD)?|AUTH(_TOKEN)?|SECRET)|REDISCLI_AUTH|VALKEY_PASSWORD)$/,
  DATABASE_URL: /^((POSTGRES(QL)?|PG|DB)_UR[IL]|DATABASE(_(HOST|DSN))?|DB_HOST|PGHOST)$/,
};

/** One line for each variable that is set, is none of ours, and was perhaps meant to be one that is not set. */
export function nearMisses(variables: Variables): string[] {
  const isSet = (name: string) => (variables[name] ?? '').trim() !== '';
  const missing = likened.filter((name) => !isSet(name));
  return Object.keys(variables)
    .filter((name) => isSet(name) && !likened.some((own) => own === name))
    .flatMap((name) => {
      const meant = missing.find((own) => elsewhere[own]?.test(name) || isOneSlipAway(name, own));
      return meant === undefined
        ? []
        : [`${name} is set, but is not a variable of this app: perhaps ${meant} is meant`];
    });
}
