// The operators' CLI with its usual arguments. The process kills itself (SIGKILL) right before `rebuild` repairs the
// member whose number is in LAUREL_TEST_DIE_AT.
import { Redis } from 'ioredis';
// It begins to work when what stands here is done.
import '../../apps/cli/src/main';
import { guarded, scripts } from './scripts';

const dieAt = Number(process.env.LAUREL_TEST_DIE_AT ?? Infinity);
const { sha1 } = guarded(scripts.commitFacts);
const send = Reflect.get(Redis.prototype, 'sendCommand');
let steps = 0;
Redis.prototype.sendCommand = function (this: Redis, ...args: Parameters<Redis['sendCommand']>) {
  if (args[0].args[0] === sha1 && ++steps >= dieAt) process.kill(process.pid, 'SIGKILL');
  return Reflect.apply(send, this, args);
};
