// Which of the real server's admission plugins are part of the server here, and can be done without.

/** Admission plugins that no list of `admission` holds, by the real server's names. */
export const SERVER_PLUGINS = [
  'MutatingAdmissionWebhook',
  'NamespaceLifecycle',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
] as const;

export type ServerPlugin = (typeof SERVER_PLUGINS)[number];
