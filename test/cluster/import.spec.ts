import { type RedisCluster, startRedisCluster } from '@laurel/servers';
import { Cluster } from 'ioredis';
import { collegeEnvironment, collegeNdjson, expectedChecksums, foundChecksums } from '../support/college-import';
import { collegeNote, expectedStandings, hasCollegeMessages } from '../support/college-messages';
import { freshPrefix } from '../support/redis';
import { runCli } from '../support/run-cli';

/** What the environment gives a Cluster where LAUREL_SHARDS is not set. */
const shards = 16;

// The data lies beside the repository and is not part of it: where it is absent, the suite says so and is skipped.
(hasCollegeMessages ? describe : describe.skip)(
  `laurel import of 59,835 real messages into a Redis Cluster${collegeNote}`,
  () => {
    const prefix = freshPrefix();
    let cluster: RedisCluster;
    let client: Cluster;

    beforeAll(async () => {
      cluster = await startRedisCluster({ masters: 3 });
      client = new Cluster([...cluster.nodes]);
    });
    afterAll(async () => {
      client.disconnect();
      await cluster.kill();
    });

    it('ends in the expected standings of all 229 periods, entry for entry', async () => {
      const env = {
        REDIS_CLUSTER_NODES: cluster.nodes.map(({ host, port }) => `${host}:${port}`).join(','),
        LAUREL_PREFIX: prefix,
        ...collegeEnvironment,
      };
      const { out, err } = await runCli(['import', '-', '--json'], { env, stdin: collegeNdjson() });
      expect(err.replace(/^(Checking|Importing): .*\n/gm, '')).toBe('');
      const { outcomes } = JSON.parse(out) as { outcomes: Readonly<Record<string, number>> };
      const { granted = 0, duplicate = 0, ...others } = outcomes;
      // A call whose answer a busy Cluster gives too late is sent again, and what it had granted is a duplicate then.
      expect(granted).toBeLessThanOrEqual(expectedStandings().grants);
      // The messages, and a follow for each of the 20,296 pairs.
      expect(granted + duplicate).toBe(59_835 + 20_296);
      expect(Object.values(others).filter((count) => count > 0)).toEqual([]);
      expect(await foundChecksums(client, { prefix, shards })).toEqual(expectedChecksums());
    });

    it('spreads the users over all masters', async () => {
      const keys = await Promise.all(client.nodes('master').map((node) => node.dbsize()));
      const all = keys.reduce((sum, count) => sum + count, 0);
      expect(keys).toHaveLength(3);
      for (const count of keys) expect(count / all).toBeGreaterThan(0.2);
    });
  },
);
