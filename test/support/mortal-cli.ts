// A process of the operators' CLI, by its own arguments, that kills itself (SIGKILL) at a step of `rebuild`: right before it puts
// so manieth member right as LAUREL_TEST_DIE_AT says.
import { Redis } from 'ioredis';
// It begins to work when what stands here is done.
import '../../apps/cli/src/main';
import { guarded } from '../../libs/leaderboard/src/ledger/sharding/guard';
import { scripts } from '../../libs/leaderboard/src/scripts/scripts.generated';

const dieAt = Number(process.env.LAUREL_TEST_DIE_AT ?? Infinity);
const { sha1 } = guarded(scripts.auditMember);
const send = Reflect.get(Redis.prototype, 'sendCommand');
let steps = 0;
Redis.prototype.sendCommand = function (this: Redis, ...args: Parameters<Redis['sendCommand']>) {
  if (args[0].args[0] === sha1 && ++steps >= dieAt) process.kill(process.pid, 'SIGKILL');
  return Reflect.apply(send, this, args);
};
