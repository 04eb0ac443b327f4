// What v1beta1 can say and v1beta2 cannot: everything else comes back from v1beta2 as it was. Upstream loses the same.

export interface Difference {
  readonly kind: string;
  /** List places as `[]`. */
  readonly path: string;
  /** Undefined where there was nothing. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface Loss {
  /** As `docs/metal-conversion.md` says it. */
  readonly says: string;
  readonly covers: (difference: Difference) => boolean;
}

const gone = ({ after }: Difference): boolean => after === undefined;

const WORDS = /(^|\.)(template|claim|dataTemplate|renderedData)\.(apiVersion|fieldPath|kind|resourceVersion|uid)$/;

const isEmpty = (value: unknown): boolean =>
  value === '' || value === 0 || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

export const LOSSES: readonly Loss[] = [
  {
    says: 'References to templates, claims and data keep name and namespace; apiVersion, kind, uid, resourceVersion and fieldPath go',
    covers: difference => WORDS.test(difference.path) && gone(difference),
  },
  {
    says: 'templateReference of Metal3DataTemplate and Metal3Data goes',
    covers: difference => difference.path === 'spec.templateReference' && gone(difference),
  },
  {
    says: 'status.phase of Metal3Machine goes',
    covers: difference => difference.path === 'status.phase' && gone(difference),
  },
  {
    says: 'noCloudProvider and cloudProviderEnabled become one: the latter where both are given, and both come back',
    covers: ({ path }) => /(noCloudProvider|cloudProviderEnabled)$/.test(path),
  },
  {
    says: 'A reference to data, an image, a pool or a deploy method that names nothing goes',
    covers: difference => /(^|\.)(image|fromPoolRef|customDeploy)(\.\w+)?$/.test(difference.path) && gone(difference),
  },
  {
    says: 'An empty text, list or object and a zero, where v1beta2 does not take one, go',
    covers: difference => isEmpty(difference.before) && gone(difference),
  },
  {
    says: 'A Metal3Data without an index has index 0',
    covers: ({ kind, path, before, after }) =>
      kind === 'Metal3Data' && path === 'spec.index' && before === undefined && after === 0,
  },
  {
    says: 'A pool with an empty group or kind is an IPPool of ipam.metal3.io',
    covers: ({ path, before }) => /(FromIPPool\[\]\.(apiGroup|kind)|fromPoolRef\.kind)$/.test(path) && before === '',
  },
  {
    says: 'A time-out is kept in whole seconds and spelled as Go does; a text that is no duration goes',
    covers: ({ path }) => path.endsWith('strategy.timeout'),
  },
];
