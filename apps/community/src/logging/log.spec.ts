import { Logger } from '@nestjs/common';
import { createLog, logFormatFrom } from './log';

/** What is written to standard output and standard error meanwhile. */
function written(work: () => void): string[] {
  const lines: string[] = [];
  const hear = (text: string | Uint8Array) => {
    lines.push(String(text));
    return true;
  };
  const streams = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation(hear),
  );
  try {
    work();
  } finally {
    for (const stream of streams) stream.mockRestore();
  }
  return lines;
}

describe('the log', () => {
  it('is JSON in production and text elsewhere, or as LAUREL_LOG says', () => {
    expect(logFormatFrom({})).toBe('text');
    expect(logFormatFrom({ NODE_ENV: 'production' })).toBe('json');
    expect(logFormatFrom({ NODE_ENV: 'production', LAUREL_LOG: 'text' })).toBe('text');
    expect(logFormatFrom({ LAUREL_LOG: ' json ' })).toBe('json');
    expect(logFormatFrom({ LAUREL_LOG: 'yaml' })).toBe('text');
  });

  it('has one JSON object in each line, with what a line is about as fields of it', () => {
    const { logger, say, warn, fail } = createLog('json');
    const lines = written(() => {
      say('Listening', { redis: '127.0.0.1:6379' });
      warn('SIGTERM: stopping …');
      fail(new Error('It broke.'));
      logger.error('A trace\nof two lines', { requestId: 'a-1' }, 'ProblemFilter');
      logger.log('A module was found', 'InstanceLoader');
    });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 'log', message: 'Listening', redis: '127.0.0.1:6379', context: 'Community' }),
      expect.objectContaining({ level: 'warn', message: 'SIGTERM: stopping …' }),
      expect.objectContaining({
        level: 'fatal',
        message: 'It broke.',
        error: expect.objectContaining({ stack: expect.stringContaining('log.spec') as string }) as object,
      }),
      expect.objectContaining({ message: 'A trace\nof two lines', requestId: 'a-1', context: 'ProblemFilter' }),
    ]);
    for (const line of lines) expect(line).toMatch(/^[^\n]+\n$/);
  });

  it('takes what Nest’s own loggers say of a request', () => {
    const { logger } = createLog('json');
    const own = new Logger('Database');
    Logger.overrideLogger(logger);
    const [line = ''] = written(() => own.warn('The database is away.', { requestId: 'a-2' }));
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', context: 'Database', requestId: 'a-2' });
    Logger.overrideLogger(false);
  });
});
