import { EventStreamParser } from './event-stream';

describe('a stream of server-sent events', () => {
  it('gives events with their names, ids and data, wherever the stream is cut', () => {
    const stream =
      'retry: 2000\n\nid: a-1\nevent: standings\ndata: {"total":1}\n\n: alive\n\nevent: closing\ndata: {}\n\n';
    for (let cut = 1; cut < stream.length; cut += 1) {
      const retries: number[] = [];
      const parser = new EventStreamParser((ms) => retries.push(ms));
      expect([...parser.push(stream.slice(0, cut)), ...parser.push(stream.slice(cut))]).toEqual([
        { event: 'standings', id: 'a-1', data: '{"total":1}' },
        { event: 'closing', id: null, data: '{}' },
      ]);
      expect(retries).toEqual([2_000]);
    }
  });

  it('takes any end of line, and joins lines of data', () => {
    expect(new EventStreamParser().push('data: one\r\ndata:two\r\n\r\n')).toEqual([
      { event: 'message', id: null, data: 'one\ntwo' },
    ]);
  });

  it('keeps to itself what is not complete', () => {
    const parser = new EventStreamParser();
    expect(parser.push('event: standings\ndata: {"tot')).toEqual([]);
    expect(parser.push('al":1}\n')).toEqual([]);
    expect(parser.push('\n')).toEqual([{ event: 'standings', id: null, data: '{"total":1}' }]);
  });
});
