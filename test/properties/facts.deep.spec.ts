// The same at length, and on a Cluster.
import fc from 'fast-check';
import { Cluster } from 'ioredis';
import { afterThisTest } from '../support/endings';
import { ownCluster } from '../support/own-servers';
import { sampled } from '../support/sampled';
import { seed } from '../support/seed';
import { holdToLaw, runs } from '../support/fact-histories';
import './facts.spec';

describe('facts on a Cluster of three masters', () => {
  const own = ownCluster();

  it('come to what the law says of them, by several processes', async () => {
    const others = [1, 2].map(() => new Cluster([...own.servers.nodes]));
    others.forEach((client) => afterThisTest(() => client.disconnect()));
    const hosts = [own.client, ...others];
    await fc.assert(
      fc.asyncProperty(runs, async ({ orders: [order], ...run }) => {
        await holdToLaw(run, order, hosts, 8);
        for (const node of own.client.nodes('master')) await node.flushdb();
      }),
      { numRuns: sampled({ sample: 1, deep: 3, full: 1_000 }), seed, endOnFailure: true },
    );
  });
});
