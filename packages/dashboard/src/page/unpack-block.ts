/** Reads what `packBlock` wrote. Rejects on what it did not write. */
export async function unpackBlock(packed: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(packed.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}
