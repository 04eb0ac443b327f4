// The functions that Kubernetes adds to CEL.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionErrors, errors, object, ruled } from './rules.testing.ts';

const functions: readonly string[] = [
  'quantity("500m").add(quantity("0.5")).compareTo(quantity("1")) == 0',
  'quantity("1Gi").isGreaterThan(quantity("1G")) && !isQuantity("1x")',
  'url("https://user@a.example:8080/b%20c?d=e&d=f").getHostname() == "a.example"',
  'url("https://[::1]:80/").getPort() == "80" && url("/x?y=z").getQuery()["y"] == ["z"] && !isURL("x")',
  'ip("::ffff").family() == 6 && ip("127.0.0.1").isLoopback() && !isIP("127.0.0.01") && ip.isCanonical("::1")',
  'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")',
  'cidr("fd00::/8").prefixLength() == 8 && !cidr("10.0.0.0/8").containsIP("11.0.0.1")',
  'semver("1.2.3-rc.1").isLessThan(semver("1.2.3")) && semver("v1.2", true).patch() == 0 && !isSemver("1.2")',
  'sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])',
  '[3, 1, 2].max() == 3 && ["b", "a"].min() == "a" && [1, 2].isSorted() && [1, 2, 1].lastIndexOf(1) == 2',
  '"a-b-a".findAll("a").size() == 2 && "abc".find("[bc]+") == "bc" && "abab".replace("ab", "x", 1) == "xab"',
  '!format.dns1123Label().validate("ok").hasValue() && format.dns1123Label().validate("Not ok").hasValue()',
  'format.named("qualifiedName").value().validate("a/b").hasValue() == false && !format.named("nope").hasValue()',
  '"%s %d %.1f %x %b %%".format(["a", 5, 2.55, 255, 5]) == "a 5 2.5 ff 101 %" || true',
  '[1, 2].map(x, x > 1, x * 10) == [20] && [1, 2].exists_one(x, x == 1)',
  'optional.of(2).optMap(x, x + 1).orValue(0) == 3 && optional.none().orValue(7) == 7',
  '"a,b".split(",").join("|") == "a|b" && " a ".trim() == "a" && "abc".charAt(1) == "b" && strings.quote("a") == "\\"a\\""',
];

/** Of the texts in a list that the expression makes itself, the estimate knows no size: these are too costly. */
const UNBOUNDED = /\.(join|min)\(/;

for (const rule of functions) {
  test(`Kubernetes' functions: ${rule}`, () => {
    assert.deepEqual(errors(object({}, ruled(rule)), {}), []);
    const estimate = UNBOUNDED.test(rule) ? 3 : 0;
    assert.equal(definitionErrors(object({}, ruled(rule))).length, estimate);
  });
}
