import { LeaderboardError } from '@laurel/leaderboard';
import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { ActivityError } from '../errors/errors';
import { problemOf } from './problem';

describe('problemOf', () => {
  it('tells codes by their type, and when to try again', () => {
    expect(problemOf(new ActivityError('unknownLeaderboard', 'no such board'))).toEqual({
      problem: {
        type: 'urn:laurel:problem:unknownLeaderboard',
        title: 'Not Found',
        status: 404,
        detail: 'no such board',
      },
      isUnexpected: false,
    });
    expect(problemOf(new ActivityError('unavailable', 'away'))).toMatchObject({
      problem: { status: 503 },
      retryAfterS: 2,
      isUnexpected: false,
    });
    expect(problemOf(new LeaderboardError('invalidCursor', 'of another board'))).toMatchObject({
      problem: { status: 400 },
    });
  });

  it('keeps to itself what concerns the operators', () => {
    const answer = problemOf(new LeaderboardError('shardCountMismatch', 'the data lies in 4 shards'));
    expect(answer).toMatchObject({ problem: { status: 503 }, isUnexpected: true });
    expect(JSON.stringify(answer)).not.toContain('4 shards');
    const bug = problemOf(new Error('password=hunter2'));
    expect(bug).toMatchObject({ problem: { status: 500 }, isUnexpected: true });
    expect(JSON.stringify(bug)).not.toContain('hunter2');
    expect(problemOf('thrown text')).toMatchObject({ problem: { status: 500 } });
    expect(problemOf(undefined)).toMatchObject({ problem: { status: 500 } });
  });

  it("takes Nest's exceptions, with the faults of its validation pipe", () => {
    expect(problemOf(new NotFoundException('Cannot GET /x')).problem).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'Cannot GET /x',
    });
    expect(problemOf(new BadRequestException(['title must be a string'])).problem).toMatchObject({
      status: 400,
      errors: [{ path: 'title', message: 'must be a string' }],
    });
    expect(problemOf(new HttpException({ anything: 1 }, 418)).problem).toMatchObject({ status: 418 });
  });

  it("takes the platforms' own refusals of a request", () => {
    const tooLarge = Object.assign(new Error('Request body is too large'), { statusCode: 413 });
    expect(problemOf(tooLarge)).toMatchObject({ problem: { status: 413 }, isUnexpected: false });
    const malformed = Object.assign(new SyntaxError('Unexpected token'), {
      status: 400,
      statusCode: 400,
      expose: true,
    });
    expect(problemOf(malformed)).toMatchObject({ problem: { status: 400 } });
    const unsupported = Object.assign(new Error('x'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 });
    expect(problemOf(unsupported)).toMatchObject({ problem: { status: 415 } });
    expect(problemOf(Object.assign(new Error('x'), { statusCode: 502 }))).toMatchObject({ problem: { status: 500 } });
  });

  it.each([
    ['axios', { name: 'AxiosError', status: 401, code: 'ERR_BAD_REQUEST', response: { status: 401 } }],
    ['superagent', { status: 404, response: {} }],
    ['an SDK', { name: 'RestError', statusCode: 403, code: 'AuthorizationFailure' }],
    ['octokit', { name: 'HttpError', status: 422 }],
  ])('is a fault of ours where %s was refused by another service: nothing of it is told', (_, fields) => {
    const answer = problemOf(Object.assign(new Error('token abc is not valid'), fields));
    expect(answer).toMatchObject({ problem: { status: 500 }, isUnexpected: true });
    expect(JSON.stringify(answer)).not.toContain('abc');
  });
});
