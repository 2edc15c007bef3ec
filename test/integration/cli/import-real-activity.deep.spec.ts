import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  collegeEnvironment,
  collegeNdjson,
  expectCollegeImported,
  expectedChecksums,
  foundChecksums,
  type Imported,
} from '../../support/college-import';
import { collegeNote, hasCollegeMessages } from '../../support/college-messages';
import { freshPrefix, ownRedis } from '../../support/redis';
import { runCli } from '../../support/run-cli';
import { sampled } from '../../support/sampled';
import { announceSeed, shuffled } from '../../support/seed';

// The data lies beside the repository and is not part of it: where it is absent, the suite says so and is skipped.
(hasCollegeMessages ? describe : describe.skip).each([1, 3])(
  `laurel import of 59,835 real messages on %d shards${collegeNote}`,
  (shards) => {
    const prefix = freshPrefix();
    const server = ownRedis();
    let folder: string;
    let once: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'laurel-import-test-'));
      once = collegeNdjson();
    });
    afterAll(async () => {
      await rm(folder, { recursive: true, force: true });
    });

    const importText = async (text: string): Promise<Imported> => {
      const path = join(folder, 'messages.ndjson.gz');
      await writeFile(path, gzipSync(text));
      const env = {
        REDIS_URL: server.url,
        LAUREL_PREFIX: prefix,
        LAUREL_SHARDS: String(shards),
        ...collegeEnvironment,
      };
      return JSON.parse((await runCli(['import', path, '--json'], { env })).out) as Imported;
    };

    it('ends in the expected standings of all 229 periods, entry for entry', async () => {
      expectCollegeImported(await importText(once));
      expect(Object.keys(expectedChecksums())).toHaveLength(229);
      expect(await foundChecksums(server.connect(), { prefix, shards })).toEqual(expectedChecksums());
    });

    // The ledger's own suite takes the whole file again in each run.
    const most = sampled({ sample: 10_000, full: 240_393 });
    it(`changes nothing when it comes again: ${most} lines of it, in another order`, async () => {
      announceSeed();
      const lines = once.trimEnd().split('\n');
      const again = [lines, lines, lines].flatMap(shuffled).slice(0, most);
      expect(await importText(`${again.join('\n')}\n`)).toMatchObject({
        points: 0,
        outcomes: { granted: 0, revoked: 0 },
      });
      expect(await foundChecksums(server.connect(), { prefix, shards })).toEqual(expectedChecksums());
    });
  },
);
