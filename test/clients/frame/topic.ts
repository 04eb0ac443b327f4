// A tour as data: what is typed, in order, and what has to lie around for it.

export interface Topic {
  readonly name: string;
  readonly lines: readonly string[];
}

export interface Tour {
  readonly name: string;
  /** In order: later ones use what earlier ones made. */
  readonly topics: readonly Topic[];
  /** A folder whose content is copied to where the commands run. */
  readonly files: string;
  /** What is on the PATH beside the system's own tools: name and place of each program. */
  readonly programs: Readonly<Record<string, string>>;
}
