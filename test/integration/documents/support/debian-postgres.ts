import { freePort } from '@laurel/servers';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
// Private: how the repository's own servers run, of a server that is not one of theirs.
import { postgresUser, runAs } from '../../../../libs/servers/src/postgres/run-as';
import { loopback } from '../../../../libs/servers/src/process/ports';
import { ServerProcess } from '../../../../libs/servers/src/process/server-process';
import { waitUntil } from '../../../support/wait-until';

const installed = '/usr/lib/postgresql';

/** The folder of the programs of the latest PostgreSQL that Debian's packages have put there. */
function programsFolder(): string | undefined {
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  const needed = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_isready'];
  return versions
    .map((version) => join(installed, version, 'bin'))
    .find((folder) => needed.every((program) => existsSync(join(folder, program))));
}

/**
 * A PostgreSQL of this machine, with the programs that copy and restore it. The private one of `@laurel/servers` has no
 * such programs, and theirs refuse a newer server.
 */
export class DebianPostgres {
  private constructor(
    readonly url: string,
    readonly programs: string,
    private readonly server: ServerProcess,
  ) {}

  static isThere(): boolean {
    return programsFolder() !== undefined;
  }

  static async start(folder: string): Promise<DebianPostgres> {
    const programs = programsFolder() ?? '';
    const user = await postgresUser();
    mkdirSync(folder);
    chmodSync(join(folder, '..'), 0o755);
    if (user) chownSync(folder, user.uid, user.gid);
    const as = (program: string, args: string[]) => runAs(user, { file: join(programs, program), args }, [folder]);
    const init = await as('initdb', [
      '-D',
      folder,
      '--username=laurel',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
    ]);
    execFileSync(init.file, init.args, { ...init, cwd: folder, stdio: 'ignore' });
    const port = await freePort();
    const settings = [`listen_addresses=${loopback}`, 'unix_socket_directories=', 'fsync=off'];
    const start = await as('postgres', ['-D', folder, '-p', `${port}`, ...settings.flatMap((one) => ['-c', one])]);
    const server = await ServerProcess.start({ ...start, cwd: folder, stopSignal: 'INT' });
    const ready = ['-h', loopback, '-p', `${port}`];
    await waitUntil(() => execFileSync(join(programs, 'pg_isready'), ready, { stdio: 'ignore' }) !== undefined);
    return new DebianPostgres(`postgres://laurel@${loopback}:${port}/postgres`, programs, server);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
