/** The files in the central directory of a zip archive: `{ name, size, packed }`. Throws if it is not a zip archive. */
export function zipEntries(bytes) {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new TypeError('this is no zip archive: it has no end of a central directory');
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  return Array.from({ length: count }, () => {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new TypeError(`this is no zip archive: no entry at byte ${at}`);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    const entry = {
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      size: bytes.readUInt32LE(at + 24),
      packed: bytes.readUInt32LE(at + 20),
    };
    at += 46 + nameLength + extraLength + commentLength;
    return entry;
  });
}
