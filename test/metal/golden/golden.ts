// The cases whose bytes are kept beside this file: written by the Go program on upstream's module, never by us.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { YamlValue } from '../../../src/base/yaml/document.ts';
import type { Metal3DataTemplateSpec } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import { metaDataCases } from './meta-data.ts';
import { networkDataCases } from './network-data.ts';
import { networkCases } from './networks.ts';
import { hardDocuments } from './texts.ts';

/** A section of a template, and the value that upstream builds from it for the host of the tests. */
export interface GoldenCase extends Pick<Metal3DataTemplateSpec, 'metaData' | 'networkData'> {
  readonly name: string;
  readonly document: YamlValue;
}

export const renderedCases: readonly GoldenCase[] = [...metaDataCases, ...networkDataCases, ...networkCases];

/** Every value that has a golden file, by the file's name. */
export const goldenDocuments: ReadonlyMap<string, YamlValue> = new Map([
  ...renderedCases.map(({ name, document }) => [name, document] as const),
  ...Object.entries(hardDocuments),
]);

export const goldenPath = (name: string): string => join(import.meta.dirname, `${name}.golden`);

export const golden = (name: string): string => readFileSync(goldenPath(name), 'utf8');
