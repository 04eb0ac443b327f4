// Where in an object a reader stands, so that what it finds wrong can be named as Kubernetes names it.

import type { Json } from '../parts.ts';
import { isList, isObject } from './json.ts';
import type { ValueType } from './shapes.ts';

/** A value of the wrong type: the request is refused (400) with this sentence. */
export class Malformed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Malformed';
  }
}

export class Trail {
  readonly #path: (string | number)[] = [];
  readonly #types: string[] = [];
  readonly unknown: string[] = [];

  enter(name: string): void {
    this.#path.push(name);
  }

  enterItem(index: number): void {
    this.#path.push(index);
  }

  leave(): void {
    this.#path.pop();
  }

  enterType(typeName: string): void {
    this.#types.push(typeName);
  }

  leaveType(): void {
    this.#types.pop();
  }

  noteUnknown(name: string): void {
    this.unknown.push(pathText([...this.#path, name]));
  }

  /** Throws in the words of Go's JSON decoder, which kubectl users know. */
  wrongType(value: Json, type: ValueType): never {
    return this.cannotRead(jsonTypeOf(value), goTypeOf(type));
  }

  cannotRead(what: string, goType: string): never {
    const owner = goName(this.#types.at(-1) ?? '').replace(/^.*\./, '');
    const names = this.#path.filter(step => typeof step === 'string').join('.');
    throw new Malformed(`json: cannot unmarshal ${what} into Go struct field ${owner}.${names} of type ${goType}`);
  }
}

function pathText(path: readonly (string | number)[]): string {
  return path.map((step, index) => stepText(step, index)).join('');
}

const stepText = (step: string | number, index: number): string => {
  if (typeof step === 'number') return `[${step}]`;
  return index === 0 ? step : `.${step}`;
};

export function jsonTypeOf(value: Json): string {
  if (isList(value)) return 'array';
  return isObject(value)
    ? 'object'
    : value === null
      ? 'null'
      : value === true || value === false
        ? 'bool'
        : typeof value;
}

function goTypeOf(type: ValueType): string {
  if (type.kind === 'message') return goName(type.name);
  if (type.kind === 'list' || type.kind === 'strings') return `[]${goTypeOf(type.element)}`;
  if (type.kind === 'map') return `map[string]${goTypeOf(type.element)}`;
  return type.kind === 'bytes' ? '[]uint8' : type.kind;
}

/** `io.k8s.api.core.v1.PodSpec` is `v1.PodSpec` in Go. */
const goName = (typeName: string): string => typeName.split('.').slice(-2).join('.');
