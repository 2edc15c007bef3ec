import type { Redis } from 'ioredis';

/** Seconds of CPU that Redis' main thread has used, in user and in system mode. */
export async function redisCpuSeconds(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const seconds = ['used_cpu_user_main_thread', 'used_cpu_sys_main_thread'].map((name) => {
    const [, value] = new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info) ?? [];
    if (value === undefined) throw new Error(`This Redis does not tell ${name}: use Redis 7.0 or newer.`);
    return Number(value);
  });
  return seconds.reduce((sum, value) => sum + value, 0);
}

/** Microseconds of CPU that this process has used. */
export function nodeCpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
