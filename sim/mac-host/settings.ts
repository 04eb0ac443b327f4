// The settings of a simulated Mac, kept in a file so that they outlive a restart of this program.

import { readFileSync, writeFileSync } from 'node:fs';

export class Settings {
  readonly #file: string;
  readonly #values: Map<string, string>;

  constructor(file: string) {
    this.#file = file;
    this.#values = new Map(stored(file));
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
    writeFileSync(this.#file, JSON.stringify([...this.#values]));
  }
}

function stored(file: string): [string, string][] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return []; // a Mac without any
  }
}
