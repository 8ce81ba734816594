// A registry of npm's on this machine that has our packed packages; for all others it sends npm to the usual one.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';

/**
 * @param {readonly { manifest: any; tarball: string }[]} packages
 * @param {string} upstream the address of the usual registry
 */
export async function servePacked(packages, upstream) {
  const byName = new Map(packages.map((one) => [one.manifest.name, one]));
  const byFile = new Map(packages.map((one) => [basename(one.tarball), one]));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname).slice(1);
    const packed = byFile.get(basename(path));
    const asked = byName.get(path);
    if (packed !== undefined) response.end(readFileSync(packed.tarball));
    else if (asked === undefined)
      response.writeHead(302, { location: new URL(request.url ?? '/', upstream).href }).end();
    else {
      const { manifest, tarball } = asked;
      const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
      const dist = { tarball: `${address()}/-/${basename(tarball)}`, integrity };
      const { name, version } = manifest;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          name,
          'dist-tags': { latest: version },
          versions: { [version]: { ...manifest, dist } },
        }),
      );
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = () => `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`;
  return { address: address(), close: () => server.close() };
}
