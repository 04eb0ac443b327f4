// Where a rented Mac's sudo password is: in its own field right after creation, later only in the VNC URL (mac-F35).

import { type SecretText, secret } from './secret-text.ts';

/** What the cloud writes where it keeps a password to itself; used as one it would lock the account (mac-F36). */
const SEALED = '<sealed>';

/** The usable password; empty when the cloud tells none (mac-F37: then nothing is set up). */
export function passwordOf(sudoPassword: string, vncUrl: string): SecretText {
  const candidates = [sudoPassword, passwordInUrl(vncUrl)];
  return secret(candidates.find(isUsable) ?? '');
}

/** Whether a stored text is a password and not a stand-in for one. */
export const isUsable = (text: string): boolean => text !== '' && text !== SEALED;

/** The decoded password part of `vnc://user:password@host`. */
function passwordInUrl(vncUrl: string): string {
  const match = /^vnc:\/\/[^:@/]*:([^@]*)@/.exec(vncUrl);
  if (match === null) return '';
  try {
    return decodeURIComponent(match[1] ?? '');
  } catch {
    // A stray percent sign: the text is not encoded after all.
    return match[1] ?? '';
  }
}
