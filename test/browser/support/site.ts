import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { TestCommunity } from '../../community/support/community';
import { startBrowser } from './browser';

/** The community, listening, and a browser to look at it. */
export interface Site {
  readonly community: TestCommunity;
  readonly browser: Browser;
  /** With a slash at its end. */
  readonly url: string;
  stop(): Promise<void>;
}

type Options = Parameters<typeof TestCommunity.start>;

/** Starts both. */
export async function startSite(options: Options[0] = {}, own: Options[1] = {}): Promise<Site> {
  const community = await TestCommunity.start(options, own);
  await community.app.listen(0, '127.0.0.1');
  const { port } = community.app.getHttpServer().address() as AddressInfo;
  const browser = await startBrowser();
  return {
    community,
    browser,
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      await browser.close();
      await community.stop();
    },
  };
}
