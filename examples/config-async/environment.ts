/** What the app is told by its environment. */
export interface Environment {
  readonly REDIS_URL: string;
  readonly LAUREL_PREFIX: string;
  readonly LAUREL_TIMEZONE: string;
  readonly WINNERS: number;
}

/** For `ConfigModule.forRoot({ validate })`. Laurel says itself what is wrong with a value that it is given. */
export function environmentOf(given: Readonly<Record<string, unknown>>): Environment {
  const text = (name: string, otherwise: string) => {
    const value = given[name];
    return typeof value === 'string' ? value : otherwise;
  };
  return {
    REDIS_URL: text('REDIS_URL', 'redis://localhost:6379'),
    LAUREL_PREFIX: text('LAUREL_PREFIX', 'config-async'),
    LAUREL_TIMEZONE: text('LAUREL_TIMEZONE', 'UTC'),
    WINNERS: Number(text('WINNERS', '3')),
  };
}
