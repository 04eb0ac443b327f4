// Texts in a Secret's data, which Kubernetes wants in base64.

export const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

export const decoded = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString('utf8');
