import { type ArgumentsHost, Logger } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { ProblemFilter } from './problem.filter';

const httpAdapter = { isHeadersSent: () => false, setHeader: () => undefined, reply: () => undefined };
const filter = new ProblemFilter({ httpAdapter } as unknown as HttpAdapterHost);

/** What is logged of an error in a request. */
function logged(request: object): unknown[] {
  const http = { getRequest: () => request, getResponse: () => ({}) };
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  filter.catch(new Error('It broke.'), { getType: () => 'http', switchToHttp: () => http } as unknown as ArgumentsHost);
  const [call = []] = error.mock.calls;
  error.mockRestore();
  return call;
}

it('ProblemFilter logs an error that nobody expected with the id of its request, where it has one', () => {
  expect(logged({ id: 'a-1' })).toEqual([expect.stringContaining('It broke.'), { requestId: 'a-1' }]);
  expect(logged({})).toEqual([expect.stringContaining('It broke.')]);
});
