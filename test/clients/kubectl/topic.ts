// One part of the tour: command lines in the order in which they are typed.

export interface Topic {
  readonly name: string;
  readonly lines: readonly string[];
}
