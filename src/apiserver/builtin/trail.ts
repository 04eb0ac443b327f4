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

/** A field, an item, a key of a map, or the struct that Go embeds here: messages name some, paths others. */
type PathStep = string | number | { readonly key: string } | { readonly embedded: string };

export class Trail {
  readonly #path: PathStep[] = [];
  readonly #types: string[] = [];
  readonly unknown: string[] = [];

  enter(name: string): void {
    this.#path.push(name);
  }

  enterItem(index: number): void {
    this.#path.push(index);
  }

  enterKey(key: string): void {
    this.#path.push({ key });
  }

  /** An inline message: a struct in Go, nothing in JSON. */
  enterEmbedded(typeName: string): void {
    this.#path.push({ embedded: typeName.slice(typeName.lastIndexOf('.') + 1) });
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
    const names = this.#path.flatMap(goStep).join('.');
    throw new Malformed(`json: cannot unmarshal ${what} into Go struct field ${owner}.${names} of type ${goType}`);
  }
}

/** Go's messages name fields and embedded structs, not items and keys. */
function goStep(step: PathStep): readonly string[] {
  if (typeof step === 'string') return [step];
  return typeof step === 'object' && 'embedded' in step ? [step.embedded] : [];
}

function pathText(path: readonly PathStep[]): string {
  return path.map(stepText).join('').replace(/^\./, '');
}

function stepText(step: PathStep): string {
  if (typeof step === 'number') return `[${step}]`;
  if (typeof step === 'string') return `.${step}`;
  return 'key' in step ? `.${step.key}` : '';
}

function jsonTypeOf(value: Json): string {
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
  // Of all that a client sends, such lists are the values of extra attributes.
  if (type.kind === 'strings') return 'v1.ExtraValue';
  if (type.kind === 'list') return `[]${goTypeOf(type.element)}`;
  if (type.kind === 'map') return `map[string]${goTypeOf(type.element)}`;
  return type.kind === 'bytes' ? '[]uint8' : type.kind;
}

/** `io.k8s.api.core.v1.PodSpec` is `v1.PodSpec` in Go. */
const goName = (typeName: string): string => typeName.split('.').slice(-2).join('.');
