import { findChromium } from './chromium';
import { findProgram } from './process/find-program';

describe('the browser of the tests', () => {
  it('is the one that CHROMIUM_PATH names', async () => {
    expect(await findChromium(undefined, process.execPath)).toBe(process.execPath);
  });

  it('is refused by name where there is no program', async () => {
    await expect(findChromium(undefined, '/nowhere/chrome')).rejects.toMatchObject({
      code: 'notInstalled',
      message: expect.stringMatching(/^CHROMIUM_PATH is "\/nowhere\/chrome": there is no program\./),
    });
  });

  it('may lie where no PATH leads, as on macOS', async () => {
    expect(await findProgram('no-such-program', process.execPath)).toBe(process.execPath);
  });
});
