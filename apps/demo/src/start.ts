import { runUntilStopped } from '../../community/src/lifecycle/run-until-stopped';
import { createLog, logFormatFrom } from '../../community/src/logging/log';
import { sentenceOf } from '../../community/src/logging/what-runs';
import { startAlone } from './start-alone';

const format = logFormatFrom(process.env);
const log = createLog(format);

runUntilStopped(async () => {
  const community = await startAlone(process.env, log.logger);
  if (format === 'json') log.say(`Listening on ${community.url}`, { ...community.runs });
  else log.say(sentenceOf(community.runs));
  return community;
}, log);
