// Versions in rules: `semver("1.2.3").isLessThan(semver("2.0.0"))`.

import type { Environment } from '@marcbachmann/cel-js';
import type { Register } from './environment.ts';

const FORM =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

class Semver {
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    this.numbers = numbers;
    this.prerelease = prerelease;
  }
}

export function registerSemver(environment: Environment, register: Register): void {
  const name = 'kubernetes.Semver';
  environment.registerType(name, { ctor: Semver, fields: {} });
  environment.registerOperator(`${name} == ${name}: bool`, (a: Semver, b: Semver) => compareVersions(a, b) === 0);
  register('isSemver(string): bool', (text: string) => parseVersion(text) !== undefined);
  register(
    'isSemver(string, bool): bool',
    (text: string, loose: boolean) => parseVersion(loose ? normal(text) : text) !== undefined,
  );
  register(`semver(string): ${name}`, versionOf);
  register(`semver(string, bool): ${name}`, (text: string, loose: boolean) => versionOf(loose ? normal(text) : text));
  for (const [index, part] of ['major', 'minor', 'patch'].entries()) {
    register(`${name}.${part}(): int`, ({ numbers }: Semver) => numbers[index] ?? 0n);
  }
  register(`${name}.isLessThan(${name}): bool`, (a: Semver, b: Semver) => compareVersions(a, b) < 0);
  register(`${name}.isGreaterThan(${name}): bool`, (a: Semver, b: Semver) => compareVersions(a, b) > 0);
  register(`${name}.compareTo(${name}): int`, (a: Semver, b: Semver) => BigInt(compareVersions(a, b)));
}

function versionOf(text: string): Semver {
  const version = parseVersion(text);
  if (version === undefined) throw new Error(problemOf(text));
  return version;
}

/** Why a text is no version, in the words of the library that Kubernetes uses. */
function problemOf(text: string): string {
  if (text === '') return 'Version string empty';
  const parts = text.split('.');
  if (parts.length < 3) return 'No Major.Minor.Patch elements found';
  const numbers = [...parts.slice(0, 2), parts.slice(2).join('.').split(/[-+]/)[0] ?? ''];
  for (const [index, name] of ['major', 'minor', 'patch'].entries()) {
    const number = numbers[index] ?? '';
    if (!/^\d+$/.test(number)) return `Invalid character(s) found in ${name} number ${JSON.stringify(number)}`;
    if (/^0\d/.test(number)) {
      return `${name[0]?.toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${JSON.stringify(number)}`;
    }
  }
  return 'Prerelease is empty';
}

function parseVersion(text: string): Semver | undefined {
  if (text.length > 256) return undefined;
  const match = FORM.exec(text);
  if (match === null) return undefined;
  return new Semver(match.slice(1, 4).map(BigInt), match[4]?.split('.') ?? []);
}

/** A leading v goes, missing parts are zero, leading zeros go. */
function normal(text: string): string {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(.*)$/.exec(text.slice(0, 256));
  if (match === null) return text;
  const [major = '0', minor = '0', patch = '0', rest = ''] = match.slice(1).map(part => part ?? '0');
  return `${[major, minor, patch].map(part => BigInt(part)).join('.')}${rest === '0' ? '' : rest}`;
}

function compareVersions(a: Semver, b: Semver): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

/** A version without one comes after all that have one. */
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.length === b.length ? 0 : -1;
}

/** Numbers before words, numbers by value. */
function compareParts(a: string, b: string): number {
  if (a === b) return 0;
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : 1;
}
