// Whether the options of `startApi` make sense: whatever plain JavaScript hands in is looked at, with the option's name.

import { millisOf } from '../../base/clock.ts';
import { optionInvalid, optionUnknown } from './errors.ts';
import type { ControllerName, StartOptions } from './types.ts';

const OPTIONS = ['port', 'dataDir', 'crds', 'controllers', 'clock', 'startAt'] satisfies (keyof StartOptions)[];

export const CONTROLLERS = [
  'clusterrole-aggregation',
  'disruption',
  'garbage-collector',
  'namespace',
  'namespace-defaults',
  'node-certificates',
  'node-lifecycle',
  'pod-garbage-collector',
  'scheduler',
  'service-account-tokens',
  'taint-eviction',
] as const satisfies readonly ControllerName[];

export interface Settings {
  readonly port: number | undefined;
  readonly dataDir: string | undefined;
  readonly crds: readonly (string | object)[];
  readonly controllers: readonly string[];
  /** Where a virtual clock starts; undefined: the time of this machine. */
  readonly virtualStartMs: number | undefined;
}

export function settingsOf(options: StartOptions): Settings {
  if (typeof options !== 'object' || options === null) throw optionInvalid('list', 'an object', options);
  const unknown = Object.keys(options).find(name => !OPTIONS.some(known => known === name));
  if (unknown !== undefined) throw optionUnknown(unknown, OPTIONS);
  return {
    port: portOf(options.port),
    dataDir: dataDirOf(options.dataDir),
    crds: crdsOf(options.crds),
    controllers: controllersOf(options.controllers),
    virtualStartMs: virtualStartOf(options),
  };
}

function portOf(port: unknown): number | undefined {
  if (port === undefined) return undefined;
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw optionInvalid('port', 'a whole number from 0 to 65535', port);
}

function dataDirOf(dataDir: unknown): string | undefined {
  if (dataDir === undefined) return undefined;
  if (typeof dataDir === 'string' && dataDir !== '') return dataDir;
  throw optionInvalid('dataDir', 'the path of a folder', dataDir);
}

function crdsOf(crds: unknown): readonly (string | object)[] {
  if (crds === undefined) return [];
  if (!Array.isArray(crds)) throw optionInvalid('crds', 'a list of objects and paths', crds);
  return crds.map((entry: unknown, i) => {
    const isEntry = (typeof entry === 'object' && entry !== null) || (typeof entry === 'string' && entry !== '');
    if (!isEntry) throw optionInvalid(`crds[${i}]`, 'an object or a path', entry);
    return entry;
  });
}

function controllersOf(controllers: unknown): readonly string[] {
  if (controllers === undefined || controllers === 'none') return [];
  if (controllers === 'all') return CONTROLLERS;
  if (!Array.isArray(controllers)) throw optionInvalid('controllers', "'all', 'none' or a list of names", controllers);
  return controllers.map((name: unknown, i) => {
    const known = CONTROLLERS.find(each => each === name);
    if (known === undefined) throw optionInvalid(`controllers[${i}]`, `one of ${CONTROLLERS.join(', ')}`, name);
    return known;
  });
}

const DEFAULT_START = '2026-01-01T00:00:00Z';

function virtualStartOf({ clock = 'system', startAt }: StartOptions): number | undefined {
  if (clock !== 'system' && clock !== 'virtual') throw optionInvalid('clock', "'system' or 'virtual'", clock);
  if (clock === 'system') {
    if (startAt !== undefined) throw optionInvalid('startAt', 'for a virtual clock only', startAt);
    return undefined;
  }
  const startMs =
    typeof startAt === 'string' || startAt === undefined ? millisOf(startAt ?? DEFAULT_START) : Number.NaN;
  if (Number.isNaN(startMs)) throw optionInvalid('startAt', `a time like ${DEFAULT_START}`, startAt);
  return startMs;
}
