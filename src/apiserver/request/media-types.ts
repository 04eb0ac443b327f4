// The media types of an Accept header, the most wanted first, in the order in which Kubernetes' own reader puts them.

export interface MediaType {
  /** `application/json`, `*` of either half included. */
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** More are not read. */
const MAX_TYPES = 64;

/** What is no media type is passed over. */
export function mediaTypes(header: string): readonly MediaType[] {
  const found = header.split(',', MAX_TYPES).flatMap(part => {
    const [said = '', ...rest] = part.split(';');
    const [first = '', second = '', ...more] = said.split('/').map(withoutSpaces);
    const isAny = first === '*' && second === '';
    if ((second === '' && !isAny) || more.length > 0) return [];
    const parameters = parametersIn(rest);
    const quality = Number(parameters.get('q') ?? 1) || 0;
    return [{ type: isAny ? '*/*' : `${first}/${second}`, quality, parameters }];
  });
  return inOrder(found);
}

/** What has no value, or several, says nothing. */
const parametersIn = (parts: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    parts.flatMap(part => {
      const [name = '', value = '', ...more] = part.split('=');
      return value === '' || more.length > 0 ? [] : [[withoutSpaces(name), withoutSpaces(value)] as const];
    }),
  );

/** By hand, because a pattern looks for the end of the text at every space. */
export function withoutSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

/**
 * By insertion, one after the other: what comes before what is no order (`*\/*` and `a/b;q=0.5` come before each other),
 * so the way of sorting decides.
 */
function inOrder(types: readonly MediaType[]): readonly MediaType[] {
  const sorted: MediaType[] = [];
  for (const one of types) {
    let at = sorted.length;
    for (let before = sorted[at - 1]; before !== undefined && precedes(one, before); before = sorted[at - 1]) at -= 1;
    sorted.splice(at, 0, one);
  }
  return sorted;
}

/** The more wanted, then the more exact. */
function precedes(one: MediaType, other: MediaType): boolean {
  if (one.quality > other.quality) return true;
  if (!one.type.startsWith('*') && other.type.startsWith('*')) return true;
  return !one.type.endsWith('*') && other.type.endsWith('*');
}
