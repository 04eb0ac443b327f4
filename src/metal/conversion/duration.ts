// Durations as Go writes them (`1h2m3s`), and whole seconds.

const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** Whole seconds of `1m40s`, rounded towards zero; undefined for what is no duration. */
export function secondsOf(text: string): number | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const parts = text.slice(sign.length);
  if (parts === '0') return 0;
  let seconds = 0;
  let end = 0;
  while (end < parts.length) {
    PART.lastIndex = end;
    const [part = '', amount = '', unit = ''] = PART.exec(parts) ?? [];
    if (part === '') return undefined;
    seconds += Number(amount) * (SECONDS[unit] ?? 0);
    end += part.length;
  }
  return end === 0 ? undefined : Math.trunc(sign === '-' ? -seconds : seconds) + 0;
}

/** `1m40s` for 100: hours and minutes only where there are some, seconds always. */
export function durationOf(seconds: number): string {
  const whole = Math.abs(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const before = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : '';
  return `${seconds < 0 ? '-' : ''}${before}${whole % 60}s`;
}
