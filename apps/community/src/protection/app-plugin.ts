import plugin from 'fastify-plugin';
import type { FastifyPluginAsync } from 'fastify';

/**
 * Hooks for the whole app as a plugin with a name. Hooks run in the order in which their plugins are registered:
 * Fastify refuses a plugin that comes before one that it needs.
 */
export function appPlugin(
  name: string,
  needed: readonly string[],
  addHooks: () => void | Promise<void>,
): FastifyPluginAsync {
  return plugin(async () => addHooks(), { name, dependencies: [...needed], fastify: '5.x' });
}
