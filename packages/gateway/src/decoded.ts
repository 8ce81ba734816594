/** What a part of an address says; one that is not encoded as it should be says itself. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
