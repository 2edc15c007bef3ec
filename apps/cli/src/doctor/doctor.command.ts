import { Command } from 'commander';
import type { CommandContext } from '../application/command-context';
import { openRedis } from '../application/open-redis';
import { runCommand } from '../application/run-command';
import { CommandError } from '../errors/command-error';
import { remedyOf } from '../diagnosis/remedies';

/** As recording does: by a script. */
const write = "return redis.call('SET', KEYS[1], '1', 'PX', '1000')";

/** `doctor` */
export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .summary('find out whether an app can use its Redis')
    .description('Connects to Redis and writes a key of one second. Where that fails, it says what to set.')
    .action(async () => {
      const name = await runCommand(context, {
        open: () => openRedis(context, 'reads'),
        work: async ({ client, prefix, name: ofRedis }) => {
          try {
            await client.eval(write, 1, `{${prefix}}:probe`);
          } catch (cause) {
            const remedy = remedyOf(cause);
            if (remedy === null) throw cause;
            throw new CommandError(`Redis refuses writes: ${remedy}.`, { cause });
          }
          return ofRedis;
        },
      });
      context.terminal.out.write(`${name} can be used.\n`);
    });
}
