import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMetaData, renderNetworkData } from '../../src/metal/rendering/index.ts';
import { sectionYaml } from '../../src/metal/rendering/json-step.ts';
import { anInput } from '../../src/metal/rendering/world.testing.ts';
import { golden, renderedCases } from './golden/golden.ts';
import { hardDocuments } from './golden/texts.ts';

for (const { name, metaData, networkData } of renderedCases) {
  test(`${name} is rendered to the bytes that upstream's module writes`, () => {
    const input = anInput({ ...(metaData && { metaData }), ...(networkData && { networkData }) });

    const rendered = metaData === undefined ? renderNetworkData(input) : renderMetaData(input);

    assert.equal(rendered, golden(name));
  });
}

for (const [name, document] of Object.entries(hardDocuments)) {
  test(`${name} are written to the bytes that upstream's module writes`, () => {
    assert.equal(sectionYaml(document, name), golden(name));
  });
}
