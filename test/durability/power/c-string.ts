// Strings as strace prints them, back into bytes.

const BACKSLASH = 0x5c;
const SIMPLE: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12, '"': 34, '\\': 92 };

/** `text` has one byte per character, and escapes: \n, \", \0, \17, \377. */
export function unescaped(text: string): Buffer {
  const from = Buffer.from(text, 'latin1');
  const to = Buffer.alloc(from.length);
  let length = 0;
  for (let at = 0; at < from.length; at += 1) {
    let byte = from[at] ?? 0;
    if (byte === BACKSLASH) {
      at += 1;
      byte = SIMPLE[String.fromCharCode(from[at] ?? 0)] ?? -1;
      if (byte < 0) [byte, at] = octalAt(from, at);
    }
    to[length] = byte;
    length += 1;
  }
  return to.subarray(0, length);
}

/** Up to three octal digits: the byte, and the position of its last digit. */
function octalAt(from: Buffer, start: number): [byte: number, last: number] {
  let [byte, at] = [0, start];
  for (; at < start + 3 && isOctal(from[at]); at += 1) byte = byte * 8 + (from[at] ?? 0) - 0x30;
  if (at === start) throw new Error(`no escape that strace prints: \\${String.fromCharCode(from[start] ?? 0)}`);
  return [byte, at - 1];
}

const isOctal = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x37;
