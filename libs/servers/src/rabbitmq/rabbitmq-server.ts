import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ServersError } from '../errors';
import { findOrInstall } from '../process/find-or-install';
import { findProgram } from '../process/find-program';
import { poll } from '../process/poll';
import { freePort, loopback } from '../process/ports';
import { ServerProcess } from '../process/server-process';

/** Where Debian keeps the program itself: the one on the PATH runs as another user alone. */
const names = ['/usr/lib/rabbitmq/bin/rabbitmq-server'];

/** Erlang starts slowly where others want the processor too. */
const readyWithinMs = 150_000;

/**
 * A RabbitMQ server of this machine, else Debian's package, installed where we are root. No service is started.
 * @throws ServersError `notInstalled` when there is none.
 */
function findOrInstallRabbitMq(): Promise<string> {
  const [debianPackage, otherWays] = ['rabbitmq-server', 'Elsewhere the tests that need it are skipped.'];
  return findOrInstall({ title: 'A RabbitMQ server', names, debianPackage, otherWays });
}

/** A RabbitMQ server of our own on the loopback address. It never outlives the process that started it. */
export class RabbitMqServer {
  private constructor(
    readonly url: string,
    private readonly processes: readonly ServerProcess[],
    private readonly folder: string,
  ) {}

  static async start(): Promise<RabbitMqServer> {
    const file = await findOrInstallRabbitMq();
    const folder = await mkdtemp(join(tmpdir(), 'laurel-rabbitmq-'));
    const processes: ServerProcess[] = [];
    try {
      const [port, nodePort, namesPort] = [await freePort(), await freePort(), await freePort()];
      // Erlang's register of names, which it would otherwise start for the whole machine and leave running.
      const epmd = (await findProgram('epmd')) ?? 'epmd';
      const register = { ERL_EPMD_PORT: String(namesPort), ERL_EPMD_ADDRESS: loopback };
      const own = { PATH: [dirname(epmd), '/usr/bin', '/bin'].join(':'), HOME: folder, LC_ALL: 'C.UTF-8', ...register };
      processes.push(await ServerProcess.start({ file: epmd, args: [], env: own, stopSignal: 'TERM' }));
      const env = { ...own, ...(await settings(folder, port, nodePort)) };
      let isReady = false;
      const log = (line: string) => {
        isReady ||= line.includes('Server startup complete');
      };
      const server = await ServerProcess.start({ file, args: [], cwd: folder, env, stopSignal: 'TERM', log });
      processes.push(server);
      await poll(() => Promise.resolve(isReady || undefined), {
        withinMs: readyWithinMs,
        until: () => server.hasEnded,
      });
      if (isReady && !server.hasEnded) return new RabbitMqServer(`amqp://${loopback}:${port}`, processes, folder);
      throw new ServersError('startFailed', `RabbitMQ did not start on ${port}. It said:\n${server.output}`);
    } catch (error) {
      await end(processes, folder);
      throw error;
    }
  }

  /** Kills it, as a crash would, and removes its files. Resolves when it is gone. */
  kill(): Promise<void> {
    return end(this.processes, this.folder);
  }
}

/**
 * Starts a RabbitMQ server on the loopback address, with files of its own that are removed when it is killed, and waits
 * until it answers. Its user is `guest`, as everywhere.
 * @throws ServersError `notInstalled`, or `startFailed` with the server's last lines.
 */
export function startRabbitMq(): Promise<RabbitMqServer> {
  return RabbitMqServer.start();
}

async function end(processes: readonly ServerProcess[], folder: string): Promise<void> {
  await Promise.all(processes.map((process) => process.kill()));
  // Its helpers end a moment after it.
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Its variables: nothing is read, written or heard outside the folder and the loopback address. */
async function settings(folder: string, port: number, nodePort: number): Promise<Record<string, string>> {
  await mkdir(join(folder, 'log'));
  const lines = [`listeners.tcp.1 = ${loopback}:${port}`, 'log.console = true', 'log.file = false'];
  await writeFile(join(folder, 'rabbitmq.conf'), `${lines.join('\n')}\n`);
  await writeFile(join(folder, 'plugins'), '[].\n');
  return {
    RABBITMQ_NODENAME: `laurel-${port}@localhost`,
    RABBITMQ_DIST_PORT: String(nodePort),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    RABBITMQ_SERVER_ERL_ARGS: '+sbwt none +S 1:1',
    // The script becomes the server, so that our signals reach it.
    RUNNING_UNDER_SYSTEMD: '1',
  };
}
