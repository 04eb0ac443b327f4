// Expressions of admission policies as people write them wrong, and what they see when they run.

import type { Case } from '../frame/case.ts';
import { POLICIES, policyOf, withPolicy } from '../frame/policy.ts';

interface Row {
  readonly says: string;
  readonly expressions: readonly string[];
}

const WRITTEN: readonly Row[] = [
  {
    says: 'the request has the fields that it has, of their types',
    expressions: [
      'request.foo == 1',
      'has(request.nope)',
      'request.?nope.orValue("") == ""',
      'request.userInfo.foo == 1',
      'request.operation == 1',
      'request.dryRun == "a"',
      'request.uid == "a"',
      'request.object == 1',
      'request.namespace + 1 == ""',
      'request.userInfo.groups.exists(g, g == 1)',
      'request.userInfo.extra.a == 1',
      'request["uid"] == "a"',
      'request.all(k, k == "")',
      'request.options.whatever == 1',
      'request == null',
    ],
  },
  {
    says: 'the Namespace has the fields that it has, of their types',
    expressions: [
      'namespaceObject.foo == 1',
      'namespaceObject.kind == ""',
      'namespaceObject.metadata.uid == ""',
      'namespaceObject.metadata.UID == ""',
      'namespaceObject.metadata.ownerReferences == []',
      'namespaceObject.metadata.managedFields == []',
      'namespaceObject.metadata.generation == "a"',
      'namespaceObject.metadata.creationTimestamp == "a"',
      'namespaceObject.metadata.deletionTimestamp == null',
      'namespaceObject.status.phase == 1',
      'namespaceObject.status.conditions.all(c, c.status == 1)',
      'namespaceObject == null',
    ],
  },
  {
    says: 'the authorizer is asked step by step',
    expressions: [
      'authorizer',
      'authorizer.allowed()',
      'authorizer.foo',
      'authorizer.path(1)',
      'authorizer.group("").check("get").allowed()',
      'authorizer.group("apps").resource("x").allowed()',
      'authorizer.path("/x").resource("a")',
      'authorizer.requestResource',
      'authorizer.requestResource.foo',
      'authorizer.requestResource.allowed()',
      'string(authorizer)',
      'authorizer == null',
      'authorizer.group("") == authorizer.group("")',
      '"%s".format([authorizer]) == ""',
    ],
  },
  {
    says: 'an expression says what it is instead of a bool',
    expressions: [
      'object',
      'object.?a',
      '[true]',
      'null',
      '1',
      'request',
      '{"a": [1]}',
      'timestamp("2020-01-01T00:00:00Z")',
    ],
  },
  {
    says: 'literals and optional values are checked as in rules of definitions',
    expressions: [
      '[1, "a"].size() == 2',
      '[object.x, 1].size() == 1',
      '{"a": object.x, "b": 1}.size() == 1',
      '[?object.?x].size() == 0',
      '{?"x": object.?x}.size() == 0',
      '[?1].size() == 0',
      '"%s".format([request]) == ""',
      '"%d".format([object]) == ""',
    ],
  },
];

/** Each fails or shows something of a ConfigMap with `data: {size: "1"}`. */
const RUN: readonly Row[] = [
  {
    says: 'unknown fields fail when they are read',
    expressions: ['object.foo.bar == 1', 'object.data.foo == "x"', 'object.foo', 'object.data["foo"] == "x"'],
  },
  {
    says: 'values of other types fail when they are used',
    expressions: [
      'object.data + 1 == 2',
      'object.data.size + 1 == 2',
      'object.data.size > 1',
      'object.data.size.foo == "x"',
      'object.data[0] == "x"',
      'object.data.all(k, object.data[k] > 1)',
      'object.metadata.name.all(k, true)',
      '!object.data',
      'object.data ? true : false',
      'object.data.size && true',
      'object.data.size',
      'int(object.metadata.name) == 1',
      'object.data == "x"',
    ],
  },
  {
    says: 'what is there is seen',
    expressions: [
      'has(object.foo) || has(object.data.foo) || has(object.metadata.labels)',
      'object.?foo.?bar.hasValue()',
      'object.data.?size.orValue("") == ""',
      'object.data[?"size"].orValue("") == ""',
      '[?object.?foo, ?object.data.?size].size() == 2',
      'object == oldObject',
      'has(request.subResource)',
      'has(request.userInfo.extra)',
      'namespaceObject.status.phase == ""',
      'authorizer.group("").resource("pods").namespace("default").check("").allowed() && false',
      '!authorizer.requestResource.name("b").check("nothing").allowed()',
      'type(object.data) == list',
      'dyn(1) == dyn(1.0) && false',
    ],
  },
];

const refused = ({ says, expressions }: Row): Case => ({
  says: `odd expressions of policies: ${says}`,
  steps: async t => {
    for (const expression of expressions)
      await t.post(`${POLICIES}?dryRun=All`, policyOf(t.own('policy'), { validations: [{ expression }] }));
  },
});

const run = ({ says, expressions }: Row): Case => ({
  says: `odd expressions of policies: ${says}`,
  steps: async t => {
    // One policy each would wait for each: the name of the object chooses one expression.
    const validations = expressions.map((expression, index) => ({
      expression: `request.name != 'case-${index}' || (${expression})`,
      messageExpression: `'number ${index} does not hold'`,
    }));
    await withPolicy(t, { validations });
    const path = `${await t.in('configmaps')}?dryRun=All`;
    for (const index of expressions.keys())
      await t.post(path, { metadata: { name: `case-${index}` }, data: { size: '1' } });
  },
});

export const oddExpressions: readonly Case[] = [...WRITTEN.map(refused), ...RUN.map(run)];
