// How a service account appears as a user: its name and its groups.

const PREFIX = 'system:serviceaccount:';

interface Account {
  readonly namespace: string;
  readonly name: string;
}

export const accountUserName = ({ namespace, name }: Account): string => `${PREFIX}${namespace}:${name}`;

export const accountGroups = (namespace: string): readonly string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

/** The account behind a user name; undefined when it is none. */
export function accountOf(userName: string): Account | undefined {
  if (!userName.startsWith(PREFIX)) return undefined;
  const parts = userName.slice(PREFIX.length).split(':');
  const [namespace, name] = parts;
  return parts.length === 2 && namespace && name ? { namespace, name } : undefined;
}
