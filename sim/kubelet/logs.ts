// What a container of the simulated kubelet has logged: always the same lines, cut by the options of the request.

/** Two a second, from a fixed moment on: every run of a test reads the same. */
const FIRST_MS = Date.UTC(2026, 0, 1);
const LINE_EVERY_MS = 500;
const LINES = 10;

/** One line as it is kept: with its time and stream. */
export interface Line {
  readonly atMs: number;
  readonly stream: 'Stdout' | 'Stderr';
  readonly text: string;
}

/** Every third line is an error. `previous`: of the container's run before this one, which was shorter. */
export function linesOf(container: string, run: 'current' | 'previous'): readonly Line[] {
  const count = run === 'previous' ? 2 : LINES;
  return Array.from({ length: count }, (_, at) => ({
    atMs: FIRST_MS + at * LINE_EVERY_MS,
    stream: at % 3 === 2 ? 'Stderr' : 'Stdout',
    text: `${container} ${run === 'previous' ? 'said before' : 'says'} ${at + 1}`,
  }));
}

/** Lines that a follower sees after those that were there. */
export function laterLines(container: string): readonly Line[] {
  return [11, 12].map(at => ({
    atMs: FIRST_MS + at * LINE_EVERY_MS,
    stream: 'Stdout',
    text: `${container} adds ${at}`,
  }));
}

/** The text that these query parameters ask for, of lines as of `nowMs`. */
export function logText(lines: readonly Line[], query: URLSearchParams, nowMs: number): string {
  const stream = query.get('stream') ?? 'All';
  const since = sinceMs(query, nowMs);
  const wanted = lines.filter(line => line.atMs >= since && (stream === 'All' || line.stream === stream));
  const tail = query.get('tailLines');
  const last = tail === null ? wanted : wanted.slice(Math.max(0, wanted.length - Number(tail)));
  const stamped = query.get('timestamps') === 'true';
  const text = last.map(line => `${stamped ? `${timeOf(line.atMs)} ` : ''}${line.text}\n`).join('');
  const limit = query.get('limitBytes');
  return limit === null ? text : text.slice(0, Number(limit));
}

function sinceMs(query: URLSearchParams, nowMs: number): number {
  const [seconds, time] = [query.get('sinceSeconds'), query.get('sinceTime')];
  if (seconds !== null) return nowMs - Number(seconds) * 1000;
  return time === null ? 0 : Date.parse(time);
}

/** With nine digits of a second, as container runtimes write it. */
const timeOf = (ms: number): string => new Date(ms).toISOString().replace('Z', '000000Z');
