// The small steps that conversions are made of: each knows the way up (v1beta1 to v1beta2) and the way down.

export type Fields = Readonly<Record<string, unknown>>;

export interface Step {
  readonly up: (fields: Fields) => Fields;
  readonly down: (fields: Fields) => Fields;
}

const unchanged = (fields: Fields): Fields => fields;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object at `name`, or an empty one. */
export const fieldsAt = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  return isFields(value) ? value : {};
};

/** `fields` with these members; undefined removes one. */
export function withMembers(fields: Fields, members: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...fields, ...members }).filter(([, value]) => value !== undefined));
}

/** The way down is the way up in reverse. */
export const inOrder = (...steps: readonly Step[]): Step => ({
  up: fields => steps.reduce((made, step) => step.up(made), fields),
  down: fields => steps.reduceRight((made, step) => step.down(made), fields),
});

/** The object at `name`, where there is one. */
export const at = (name: string, step: Step): Step => {
  const turned = (fields: Fields, turn: (inner: Fields) => Fields): Fields => {
    const inner = fields[name];
    return isFields(inner) ? { ...fields, [name]: turn(inner) } : fields;
  };
  return { up: fields => turned(fields, step.up), down: fields => turned(fields, step.down) };
};

/** Each object of the list at `name`. */
export const each = (name: string, step: Step): Step => {
  const turned = (fields: Fields, turn: (inner: Fields) => Fields): Fields => {
    const items: unknown = fields[name];
    if (!Array.isArray(items)) return fields;
    return { ...fields, [name]: items.map((item: unknown) => (isFields(item) ? turn(item) : item)) };
  };
  return { up: fields => turned(fields, step.up), down: fields => turned(fields, step.down) };
};

/** One member that is told in another way; undefined leaves it out. */
export const told = (name: string, way: { up(value: unknown): unknown; down(value: unknown): unknown }): Step => {
  const turned = (fields: Fields, turn: (value: unknown) => unknown): Fields =>
    Object.hasOwn(fields, name) ? withMembers(fields, { [name]: turn(fields[name]) }) : fields;
  return { up: fields => turned(fields, way.up), down: fields => turned(fields, way.down) };
};

/** A member that has another name in v1beta2. */
export const renamed = (older: string, newer: string): Step => {
  const moved = (fields: Fields, from: string, to: string): Fields =>
    Object.hasOwn(fields, from) ? withMembers(fields, { [from]: undefined, [to]: fields[from] }) : fields;
  return { up: fields => moved(fields, older, newer), down: fields => moved(fields, newer, older) };
};

/** A member that v1beta2 does not have. */
export const forgotten = (name: string): Step => ({
  up: fields => withMembers(fields, { [name]: undefined }),
  down: unchanged,
});

/** A member that says nothing in this state, and is left out on the way up. */
export const unless = (name: string, saysNothing: (value: unknown) => boolean): Step => ({
  up: fields =>
    Object.hasOwn(fields, name) && saysNothing(fields[name]) ? withMembers(fields, { [name]: undefined }) : fields,
  down: unchanged,
});

/** Members that v1beta1 must have: on the way down they get these values where there are none. */
export const filled = (values: Fields): Step => ({ up: unchanged, down: fields => ({ ...values, ...fields }) });
