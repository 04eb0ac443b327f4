// The seams inside the embedded API: what the request handler (registry) needs of its parts, in types.

import type { Status, StatusCause } from '../kube/errors.ts';
import type { Identity } from '../kube/transport.ts';
import type { ServerPlugin } from './admission/server-plugins.ts';
import type { WebhookClient, WebhookPort } from './admission/webhook-port.ts';
import type { Kubelets } from './kubelets.ts';
import type { ServiceRanges } from './objects/service-ranges.ts';
import type { IssuerDocuments, TokenIssuer } from './token-parts.ts';

/** A JSON object as it travels; never shared with a caller. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A served resource: one plural in one group and version. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** `status`, `scale`, `binding`, ... */
  readonly subresources: readonly string[];
  readonly verbs: readonly string[];
  /** Where the objects are kept whatever version asks: `pods`, `machines.cluster.x-k8s.io`. */
  readonly storageName: string;
  /** The version in which they are kept, when it is not this one. */
  readonly storageVersion?: string;
  /** The OpenAPI v3 schema of this version; for custom resources the CRD's own. */
  readonly schema: JsonObject;
  /** The revision at which that schema was not yet what it is: what was written before must be read anew. */
  readonly schemaSince?: number;
  /** Built-in kinds come from tables and speak protobuf; custom ones come from CRDs and do not. */
  readonly origin: 'builtin' | 'custom';
  /** A CRD's `additionalPrinterColumns`; built-in kinds print through `Printer`. */
  readonly printerColumns?: readonly PrinterColumn[];
  /** A CRD's `selectableFields`, as dotted paths without the leading dot. */
  readonly selectableFields?: readonly string[];
  /** Where a CRD's scale subresource finds its numbers. */
  readonly scale?: ScalePaths;
  /** How objects of other versions become ones of this; left out where there is one version only. */
  readonly conversion?: Conversion;
  /** What whoever asks for this version of a CRD is warned of. */
  readonly deprecation?: string;
  /** Kinds that are answered and not stored (reviews): a create is the only verb. */
  readonly virtual?: true;
}

/** Of a kind that has several versions. */
export interface Conversion {
  /** Undefined: only the version's name changes. */
  readonly webhook: WebhookClient | undefined;
  /** The version in which objects are stored; it need not be served. */
  readonly stored: Resource;
}

/** JSON paths of a CRD's scale subresource, as the CRD writes them: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** One of a CRD's `additionalPrinterColumns`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/** One problem with one field, as `Invalid` answers list it. */
export interface FieldError {
  readonly type:
    | 'Required'
    | 'Invalid'
    | 'NotSupported'
    | 'Forbidden'
    | 'InternalError'
    | 'Duplicate'
    | 'NotFound'
    | 'TooLong'
    | 'TooMany'
    | 'TypeInvalid';
  /** `spec.containers[0].name`. */
  readonly field: string;
  /** Kubernetes' own wording, without the field: `Invalid value: "x": must be ...`, `Required value`. */
  readonly message: string;
}

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Bytes that are no message: of no kind at all, or none of the kind that their envelope names. */
export class BadMessage extends Error {
  readonly named: TypeMeta | undefined;

  constructor(message: string, named?: TypeMeta) {
    super(message);
    this.name = 'BadMessage';
    this.named = named;
  }
}

/** Protobuf for built-in kinds (`application/vnd.kubernetes.protobuf`), magic and envelope included. */
export interface ProtobufCodec {
  readonly knows: (apiVersion: string, kind: string) => boolean;
  /** Throws when the kind has no protobuf form. */
  encode(object: JsonObject): Uint8Array;
  /** Throws `BadMessage` on bytes that are no such message; `into` is the kind of an envelope that names none. */
  decode(bytes: Uint8Array, into?: TypeMeta): JsonObject;
  /** One watch frame, length prefix included. */
  encodeWatchEvent(type: string, object: JsonObject): Uint8Array;
}

/** Schema work for one resource: structural for CRDs, table-driven for built-in kinds. */
export interface SchemaWork {
  /** Defaults filled and unknown fields removed; lists the unknown ones for `fieldValidation`. */
  normalize(
    resource: Resource,
    object: JsonObject,
  ): { readonly object: JsonObject; readonly unknownFields: readonly string[] };
  /** `old` is there on update: transition rules and immutability. */
  /** `part`: the subresource that is written, if one is. */
  validate(resource: Resource, object: JsonObject, old: JsonObject | undefined, part?: string): readonly FieldError[];
  /** What is doubtful in a valid object. */
  warnings?(resource: Resource, object: JsonObject, old: JsonObject | undefined): readonly string[];
}

/** Strategic merge by the merge keys of the built-in schema. */
export type StrategicMerge = (schema: JsonObject, live: JsonObject, patch: JsonObject) => JsonObject;

/** Server-side apply and the field ownership that every other write records. */
export interface FieldOwnership {
  apply(call: {
    readonly resource: Resource;
    /** Absent: the apply creates. */
    readonly live: JsonObject | undefined;
    readonly applied: JsonObject;
    readonly manager: string;
    readonly force: boolean;
    readonly subresource: string;
    /** Kubernetes Time. */
    readonly time: string;
  }): { readonly object: JsonObject } | { readonly conflicts: readonly StatusCause[] };
  /** `after` with managedFields that say `manager` wrote what differs from `before`. */
  track(call: {
    readonly resource: Resource;
    readonly before: JsonObject | undefined;
    readonly after: JsonObject;
    readonly manager: string;
    readonly subresource: string;
    readonly time: string;
  }): JsonObject;
  /** The record that a Scale of `object` shows: who owns the replicas, which are at `place`. */
  inScale(resource: Resource, object: JsonObject, place: readonly string[]): readonly JsonObject[];
  /** The record of `object` once its Scale is written: `scale` says who owns the replicas then. */
  fromScale(resource: Resource, object: JsonObject, place: readonly string[], scale: JsonObject): readonly JsonObject[];
}

/** What is asked, as authorizers and admission see it. */
export interface Attributes {
  readonly identity: Identity;
  /** get, list, watch, create, update, patch, delete, deletecollection; for paths the lower-case HTTP method. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** For non-resource requests (`/healthz`): everything above but verb is empty. */
  readonly path: string;
  /** The selectors of a list, watch or deletecollection: the Node authorizer looks at them. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** An allowed one may say what allowed it: access reviews repeat it. */
export type Verdict =
  | { readonly allowed: true; readonly reason?: string }
  | { readonly allowed: false; readonly reason: string };

/** Reads for authorizers and admission: what is stored now. */
export interface Stored {
  get(storageName: string, namespace: string, name: string): JsonObject | undefined;
  list(storageName: string, namespace?: string): readonly JsonObject[];
  /** Differs whenever any object of that storage was written or removed. Absent: readers index anew on each question. */
  revision?(storageName: string): number;
}

export interface Authenticator {
  /** Undefined: no credentials that anybody knows (401, or anonymous where that is allowed). */
  authenticate(
    headers: Readonly<Record<string, string>>,
    clientCertificate: ClientCertificate | undefined,
  ): Promise<Identity | undefined>;
}

/** A verified client certificate's subject. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

export type Authorizer = (attributes: Attributes) => Verdict;

/** Runs on writes, before the schema validates: may change the object, or refuse with a Status. */
export type Admission = (call: {
  readonly attributes: Attributes;
  readonly resource: Resource;
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
  readonly dryRun: boolean;
}) => { readonly object: JsonObject | undefined; readonly warnings: readonly string[] } | { readonly refused: Status };

/** One column of a Table, as `meta.k8s.io/v1` writes it. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** How objects of built-in kinds print in kubectl's tables. */
export interface Printer {
  /** Undefined: the kind has no columns of its own, so name and age are printed. */
  columns(resource: Resource): readonly TableColumn[] | undefined;
  /** One cell per column. */
  cells(resource: Resource, object: JsonObject, nowMs: number): readonly Json[];
  /** The objects of one list as a Table shows them, where that is not in the order of their names. */
  inOrder?(resource: Resource, objects: readonly JsonObject[]): readonly JsonObject[];
}

/** The OpenAPI documents, built from the resources that are served now. */
export interface OpenApi {
  /** The whole `/openapi/v2` document; stock kubectl asks for protobuf. */
  v2(resources: readonly Resource[], form: 'json' | 'protobuf'): Uint8Array;
  /** One document of `/openapi/v3`: `group` is empty for the core group. Only this group version's resources are passed. */
  v3(group: string, version: string, resources: readonly Resource[]): JsonObject;
}

/** Answers a kind that is asked, not stored (TokenReview, SubjectAccessReview and its family): fills in its status. */
export type Review = (call: {
  readonly resource: Resource;
  readonly object: JsonObject;
  readonly namespace: string;
  readonly identity: Identity;
}) => Promise<JsonObject>;

/** Checks a CustomResourceDefinition's schemas: structural rules, CEL that compiles. Paths start at `spec.versions[i]`. */
export type CrdCheck = (crd: JsonObject, old: JsonObject | undefined) => readonly FieldError[];

/** Everything that the handler is put together from. What is absent is served without (its answers say so). */
export interface ApiParts {
  readonly resources: readonly Resource[];
  readonly builtinSchema?: SchemaWork;
  readonly customSchema?: SchemaWork;
  readonly crdCheck?: CrdCheck;
  readonly protobuf?: ProtobufCodec;
  readonly strategicMerge?: StrategicMerge;
  readonly fieldOwnership?: FieldOwnership;
  readonly printer?: Printer;
  readonly openApi?: OpenApi;
  readonly authenticator?: Authenticator;
  /** Without one, the group system:masters may do everything and others nothing. */
  readonly authorizer?: Authorizer;
  /** In order; each sees what the one before made. */
  readonly admission?: readonly Admission[];
  /** Without one, every webhook fails. */
  readonly webhooks?: WebhookPort;
  readonly tokens?: TokenIssuer;
  readonly issuer?: IssuerDocuments;
  /** Without it logs, exec, attach, port-forward and the proxy of Nodes are not implemented. */
  readonly kubelets?: Kubelets;
  /** By `plural.group`, for instance `selfsubjectaccessreviews.authorization.k8s.io`. */
  readonly reviews?: ReadonlyMap<string, Review>;
  /** Objects that must exist after a start (RBAC bootstrap roles and bindings); created when missing, else left alone. */
  readonly bootstrapObjects?: readonly JsonObject[];
  /** What is part of the server, and need not run. */
  readonly serverPluginsOff?: readonly ServerPlugin[];
  /** The usual ones unless told otherwise. */
  readonly serviceRanges?: ServiceRanges;
  /** The least time, in seconds, that a watch lasts whose client names none; half an hour unless told otherwise. */
  readonly minWatchSeconds?: number;
}
