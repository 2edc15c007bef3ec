import { readEnvironment } from './environment/environment';
import { runUntilStopped } from './lifecycle/run-until-stopped';
import { createLog, logFormatFrom } from './logging/log';
import { sentenceOf } from './logging/what-runs';
import { startCommunity } from './start-community';

const format = logFormatFrom(process.env);
const log = createLog(format);

runUntilStopped(async () => {
  const community = await startCommunity(readEnvironment(process.env), log.logger);
  if (format === 'json') log.say(`Listening on ${community.url}`, { ...community.runs });
  else log.say(sentenceOf(community.runs));
  return community;
}, log);
