// The functions of expressions one by one: what each makes of the same object, as a message shows it, or how it fails.

import type { Case } from '../frame/case.ts';
import { list, object, serving, text, version, whole, widget } from './define.ts';
import { rules, short } from './rule-schemas.ts';

interface Row {
  readonly says: string;
  /** Values: each is shown by the message of a rule that never holds. */
  readonly shows: readonly string[];
  /** Rules that are broken or fail: why is told. */
  readonly fails?: readonly string[];
}

const FIELDS = object({
  n: whole,
  s: short,
  l: list(whole, { maxItems: 6 }),
  w: list({ ...text, maxLength: 5 }, { maxItems: 4 }),
  m: { type: 'object', additionalProperties: { ...text, maxLength: 5 }, maxProperties: 3 },
  o: object({ a: short }),
  none: short,
});
const VALUES = { n: 3, s: 'Ab,c', l: [3, 1, 2, 3], w: ['b', 'a'], m: { k: 'v' }, o: { a: 'x' } };

const ROWS: readonly Row[] = [
  {
    says: 'loops with an index and a value go over lists',
    shows: [
      'self.l.all(i, v, v > i)',
      'self.l.exists(i, v, v == i)',
      'self.l.existsOne(i, v, v == 3)',
      'self.l.exists_one(i, v, v == 3 && i > 0)',
      'self.l.transformList(i, v, v * 10 + i)',
      'self.l.transformList(i, v, i % 2 == 0, v)',
      'self.w.transformMap(i, v, v + "x")',
      'self.w.transformMap(i, v, i > 0, v)',
      'self.w.transformMapEntry(i, v, {v: i})',
      'self.w.transformMapEntry(i, v, v == "a", {v: i})',
    ],
  },
  {
    says: 'loops with a key and a value go over maps, and within each other',
    shows: [
      'self.m.all(k, v, k < v)',
      'self.m.exists(k, v, k == v)',
      'self.m.existsOne(k, v, v == "v")',
      'self.m.transformList(k, v, k + v)',
      'self.m.transformMap(k, v, v + k)',
      'self.m.transformMapEntry(k, v, {v: k})',
      'self.l.transformList(i, v, self.l.exists(j, w, i != j && v == w))',
      'self.l.map(x, self.w.transformList(i, v, v + "x"))',
    ],
  },
  {
    says: 'loops with two variables fail as the others do',
    shows: [],
    fails: [
      'self.l.all(i, v, 1 / (v - 1) > 5)',
      'self.l.exists(i, v, 1 / (v - 1) > 5)',
      'self.l.existsOne(i, v, 1 / (v - 1) == 1)',
      'self.l.transformList(i, v, 6 / (v - 1)).size() > 0',
      'self.l.transformMapEntry(i, v, {v: i}).size() == 4',
      'self.l.all(i, v, v < 3)',
    ],
  },
  {
    says: 'lists are cut, flattened, sorted and turned',
    shows: [
      'self.l.slice(1, 3)',
      '[[1], [2, 3]].flatten()',
      '[[1, [2]], [3, [4, [5]]]].flatten(2)',
      'self.l.distinct()',
      'self.l.reverse()',
      'self.l.sort()',
      'self.l.sortBy(x, -x)',
      'self.w.sort()',
      'lists.range(4)',
      'self.l.first().value()',
      'self.w.last().orValue("none")',
    ],
    fails: ['self.l.slice(1, 9).size() == 2', 'self.l.slice(-1, 1).size() == 2'],
  },
  {
    says: 'lists have sums, bounds, an order and places',
    shows: [
      'self.l.sum()',
      '[1.5, 2.0].sum()',
      '[duration("1s"), duration("2s")].sum()',
      '[self.l.min(), self.l.max()]',
      '[self.w.min(), self.w.max()]',
      '[self.l.isSorted(), [1, 1, 2].isSorted()]',
      '[self.l.indexOf(3), self.l.lastIndexOf(3), self.l.indexOf(9)]',
    ],
    fails: [
      'self.l.filter(x, x > 9).min() == 1',
      'self.l.filter(x, x > 9).max() == 1',
      'self.l.filter(x, x > 9).sum() == 1',
    ],
  },
  {
    says: 'lists are sets',
    shows: [
      '[sets.contains(self.l, [1, 2]), sets.contains(self.l, [9])]',
      '[sets.equivalent(self.l, [1, 2, 3]), sets.equivalent(self.l, [1, 2])]',
      '[sets.intersects(self.l, [9, 1]), sets.intersects(self.l, [9])]',
      '[sets.contains(self.l, []), sets.intersects(self.l, [])]',
    ],
  },
  {
    says: 'texts are searched by patterns',
    shows: [
      'self.s.find("[a-z]+")',
      'self.s.find("[0-9]+")',
      'self.s.findAll("[a-z]")',
      'self.s.findAll("[a-z]", 1)',
      'self.s.findAll("[a-z]", 0)',
      '[self.s.matches("^A"), matches(self.s, "^b")]',
    ],
    fails: ['self.s.matches(self.s + "(")', 'self.s.find(self.s + "(") == ""'],
  },
  {
    says: 'texts are cut, joined, turned and quoted',
    shows: [
      '[self.s.charAt(1), self.s.charAt(4)]',
      '[self.s.indexOf("c"), self.s.indexOf("A", 1), self.s.lastIndexOf("b"), self.s.lastIndexOf("c", 2)]',
      '[self.s.lowerAscii(), self.s.upperAscii()]',
      '[self.s.replace("b", "x"), self.s.replace("", "-"), "aaa".replace("a", "b", 2)]',
      '[self.s.split(","), "a,b,c".split(",", 2), "a,b".split(",", 0)]',
      '[self.s.substring(1), self.s.substring(1, 3)]',
      '"[" + " x\\t ".trim() + "]"',
      '[self.w.join(), self.w.join("+")]',
      'strings.quote("a\\"b\\n")',
    ],
    fails: ['self.s.charAt(9) == ""', 'self.s.substring(3, 1) == ""', 'self.s.substring(9) == ""'],
  },
  {
    says: 'values are formatted into texts',
    shows: [
      '"%s %d %f %e %b %x %X %o %%".format([self.s, 5, 1.5, 1200.0, 5, 255, 255, 8])',
      '"%.2f %.1e".format([1.005, 12345.0])',
      '"%s %s %s".format([true, null, 1.0])',
      '"%s %s".format([duration("90s"), timestamp("2020-01-01T00:00:00Z")])',
      '"%s %s".format([[1, "a"], {"k": 1}])',
      '"%x %X".format(["hi", b"hi"])',
    ],
    fails: [
      '(self.s + "%b").format([1.5]) == ""',
      '(self.s + "%x").format([1.5]) == ""',
      '(self.s + "%o").format([true]) == ""',
      '(self.s + "%f").format(["a"]) == ""',
      '(self.s + "%e").format([[1]]) == ""',
      '(self.s + "%d").format(["a"]) == ""',
      '(self.s + "%s").format([]) == ""',
      '(self.s + "%y").format([1]) == ""',
    ],
  },
  {
    says: 'addresses say what they are',
    shows: [
      '[string(ip("10.0.0.1").family()), string(ip("::1").family())]',
      '[string(ip("::1")), string(ip("fe80:0::1"))]',
      '[string(ip.isCanonical("::1")), string(ip.isCanonical("0::1"))]',
      '[isIP("1.2.3.4"), isIP("1.2.3"), isIP("::ffff:1.2.3.4"), isIP("fe80::1%eth0")]',
      '[string(ip("0.0.0.0").isUnspecified()), string(ip("127.0.0.1").isLoopback())]',
      '[string(ip("169.254.1.1").isLinkLocalUnicast()), string(ip("224.0.0.1").isLinkLocalMulticast())]',
      '[string(ip("8.8.8.8").isGlobalUnicast()), string(ip("255.255.255.255").isGlobalUnicast())]',
      'string(ip("::1") == ip("0:0::1"))',
    ],
    fails: ['ip("1.2.3").family() == 4', 'ip.isCanonical("x")', 'ip(self.s).family() == 4'],
  },
  {
    says: 'networks say what is in them',
    shows: [
      '[string(cidr("10.1.2.3/8").ip()), string(cidr("10.1.2.3/8").masked()), string(cidr("10.0.0.0/8").prefixLength())]',
      '[string(cidr("10.0.0.0/8").containsIP("10.9.9.9")), string(cidr("10.0.0.0/8").containsIP(ip("11.0.0.1")))]',
      '[string(cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")), string(cidr("10.1.0.0/16").containsCIDR(cidr("10.0.0.0/8")))]',
      '[isCIDR("10.0.0.0/8"), isCIDR("10.0.0.0/33"), isCIDR("10.0.0.1")]',
      'string(cidr("10.0.0.0/8"))',
    ],
    fails: [
      'cidr("10.0.0.0").prefixLength() == 8',
      'cidr("10.0.0.0/8").containsIP("x")',
      'cidr("10.0.0.0/8").containsCIDR("x")',
    ],
  },
];

const MORE: readonly Row[] = [
  {
    says: 'URLs come apart',
    shows: [
      'url("https://a.example:80/b%20c?d=e&d=f&g#h").getScheme()',
      '[url("https://a.example:80/b%20c?d=e").getHost(), url("https://[::1]:80/b").getHost()]',
      '[url("https://[::1]:80/b").getHostname(), url("https://[::1]:80/b").getPort(), url("/a").getPort()]',
      'url("https://a.example/b%20c d").getEscapedPath()',
      'url("https://a.example/b?d=e&d=f").getQuery()["d"]',
      '[isURL("https://a"), isURL("/a"), isURL("../a"), isURL("a"), isURL("https://a:x")]',
      'url("https://a") == url("https://a")',
    ],
    fails: ['url("../a").getHost() == ""', 'url("https://a:x").getHost() == ""', 'url(self.s).getHost() == ""'],
  },
  {
    says: 'quantities are compared and added',
    shows: [
      '[quantity("1Ki").asInteger(), quantity("1500m").asApproximateFloat()]',
      '[quantity("1500m").isInteger(), quantity("1").isInteger()]',
      '[quantity("1").isLessThan(quantity("2")), quantity("1").isGreaterThan(quantity("2"))]',
      '[quantity("1").compareTo(quantity("1000m")), quantity("1") == quantity("1000m")]',
      '[quantity("1").add(quantity("2")).asInteger(), quantity("1").sub(2).asInteger(), quantity("1").add(2).asInteger()]',
      '[isQuantity("1Gi"), isQuantity("1G i"), isQuantity("1e3"), isQuantity("")]',
    ],
    fails: [
      'quantity("x").asInteger() == 1',
      'quantity("1500m").asInteger() == 1',
      'quantity(self.s).asInteger() == 1',
    ],
  },
  {
    says: 'versions are compared',
    shows: [
      '[semver("1.2.3").major(), semver("1.2.3").minor(), semver("1.2.3").patch()]',
      '[semver("1.2.3-a.2").isLessThan(semver("1.2.3")), semver("1.2.3-a.10").isGreaterThan(semver("1.2.3-a.9"))]',
      '[semver("1.2.3+x").compareTo(semver("1.2.3")), semver("1.2.3+x") == semver("1.2.3")]',
      '[isSemver("1.2.3"), isSemver("1.2"), isSemver("v1.2.3"), isSemver("v1.2", true), isSemver("01.2.3", true)]',
      'semver("v1", true).compareTo(semver("1.0.0"))',
    ],
    fails: [
      'semver("1.2").major() == 1',
      'semver("1.x.3").major() == 1',
      'semver("v1.2.3").major() == 1',
      'semver("").major() == 1',
    ],
  },
  {
    says: 'formats say what a text lacks',
    shows: [
      'format.dns1123Label().validate("A").value()',
      'format.dns1123Subdomain().validate("A_").value()',
      'format.dns1035Label().validate("1a").value()',
      '[format.dns1123LabelPrefix().validate("a--").hasValue(), format.dns1123SubdomainPrefix().validate("a.").hasValue(), format.dns1035LabelPrefix().validate("a-").hasValue()]',
      'format.qualifiedName().validate("a/b/c").value()',
      'format.labelValue().validate("-").value()',
      'format.uri().validate("x y").value()',
      'format.uuid().validate("x").value()',
      'format.byte().validate("?").value()',
      'format.date().validate("x").value()',
      'format.datetime().validate("x").value()',
      '[format.named("uuid").hasValue(), format.named("other").hasValue()]',
    ],
  },
  {
    says: 'what may be absent is asked for',
    shows: [
      '[self.?none.orValue("gone"), self.?s.orValue("gone")]',
      '[self.m[?"k"].orValue("gone"), self.m[?"x"].orValue("gone"), self.w[?9].orValue("gone")]',
      '[self.?none.hasValue(), self.?o.?a.hasValue(), self.?none.or(self.?s).value()]',
      '[self.?s.optMap(x, x.startsWith("A")).orValue(false), self.?none.optMap(x, x.startsWith("A")).hasValue()]',
      'self.?s.optFlatMap(x, self.m[?"k"]).orValue("gone")',
      '[optional.of(1).hasValue(), optional.none().hasValue(), optional.ofNonZeroValue(0).hasValue(), optional.ofNonZeroValue("a").hasValue()]',
      '[optional.unwrap([self.?none, self.?s]), [self.?s, self.?none].unwrapOpt()]',
    ],
    fails: ['self.?none.value() == ""', 'self.m[?"x"].value() == ""'],
  },
  {
    says: 'times and durations have parts',
    shows: [
      '[timestamp("2020-02-03T04:05:06.789Z").getFullYear(), timestamp("2020-02-03T04:05:06Z").getMonth()]',
      '[timestamp("2020-02-03T04:05:06Z").getDate(), timestamp("2020-02-03T04:05:06Z").getDayOfMonth(), timestamp("2020-02-03T04:05:06Z").getDayOfWeek(), timestamp("2020-02-03T04:05:06Z").getDayOfYear()]',
      '[timestamp("2020-02-03T04:05:06.789Z").getHours(), timestamp("2020-02-03T04:05:06Z").getMinutes(), timestamp("2020-02-03T04:05:06Z").getSeconds(), timestamp("2020-02-03T04:05:06.789Z").getMilliseconds()]',
      '[timestamp("2020-02-03T04:05:06Z").getHours("Europe/Berlin"), timestamp("2020-02-03T04:05:06Z").getHours("-03:00")]',
      '[string(duration("3723.5s").getHours()), string(duration("3723.5s").getMinutes()), string(duration("3723.5s").getSeconds()), string(duration("1.5s").getMilliseconds())]',
      '[string(timestamp("2020-02-03T04:05:06Z") - duration("1h")), string(duration("1h") + duration("1m"))]',
      'string(timestamp("2020-02-03T04:05:06Z") - timestamp("2020-02-03T04:05:00Z"))',
    ],
    fails: ['duration(self.s) == duration("1s")', 'timestamp(self.s).getHours() == 1'],
  },
  {
    says: 'values are made into values of other types',
    shows: [
      '[int("5") + int(2.9) + int(true ? "1" : "0"), uint("3"), double("1.5")]',
      '[string(b"hi"), bytes("hi").size(), bool("true")]',
      '[size(self.l), self.w.size(), size("é"), size(self.m)]',
      '[type(1) == int, type("a") == string, dyn(1) == 1]',
      '[1 in self.l, "k" in self.m, "a".contains(""), "abc".startsWith("ab")]',
    ],
    fails: [
      'int(self.s) == 1',
      'uint(self.s) == 1u',
      'double(self.s) == 1.0',
      'bool(self.s)',
      '9223372036854775807 + self.n > 0',
      'self.n / 0 == 1',
    ],
  },
];

const caseOf = ({ says, shows, fails = [] }: Row): Case => ({
  says: `functions of expressions: ${says}`,
  steps: async t => {
    const never = shows.map(shown => ({ rule: 'self.n == 0', messageExpression: `"%s".format([${shown}])` }));
    const spec = { ...FIELDS, ...rules(...never, ...fails.map(rule => ({ rule }))) };
    const path = await serving(t, { versions: [version(spec)] });
    await t.post(`${path}?dryRun=All`, widget(t, VALUES));
  },
});

export const functions: readonly Case[] = [...ROWS, ...MORE].map(caseOf);
