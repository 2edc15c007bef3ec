import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PackageInstaller } from './debian';
import { findOrInstall, type Installable } from './find-or-install';

const missing: Installable = {
  title: 'A laurel press',
  names: ['laurel-press', 'bay-press'],
  debianPackage: 'laurel-press',
  otherWays: 'Or press by hand.',
};
const installer = (canInstall: boolean, install: () => Promise<void> = () => Promise.resolve()): PackageInstaller => ({
  canInstall: () => Promise.resolve(canInstall),
  install,
});

describe('finding a program or installing it', () => {
  it('finds what the machine has, by the first name that it goes by', async () => {
    const never = installer(true, () => Promise.reject(new Error('must not be asked')));
    expect(await findOrInstall({ ...missing, names: ['laurel-press', 'sh'] }, { installer: never })).toMatch(/\/sh$/);
  });

  it('says how to get it where it may not install anything', async () => {
    await expect(findOrInstall(missing, { installer: installer(false) })).rejects.toMatchObject({
      code: 'notInstalled',
      message:
        'A laurel press is not installed: none of laurel-press, bay-press is on the PATH. ' +
        'On Debian or Ubuntu: sudo apt-get install laurel-press. Or press by hand.',
    });
  });

  it.each([
    ['why it could not be installed', 'no network', () => Promise.reject(new Error('no network'))],
    ['that the package brought none of its names', 'The package laurel-press brought none of them.', undefined],
  ])('says %s', async (_, message, install) => {
    const installed = findOrInstall(missing, { installer: installer(true, install) });
    await expect(installed).rejects.toMatchObject({ code: 'notInstalled', message: expect.stringContaining(message) });
  });

  it('finds what was unpacked before in the folder for programs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-programs-'));
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/bay-press'), '#!/bin/sh\n', { mode: 0o755 });
    const never = installer(true, () => Promise.reject(new Error('must not be asked')));
    try {
      expect(await findOrInstall(missing, { programsDir: folder, installer: never })).toBe(
        join(folder, 'bin/bay-press'),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
