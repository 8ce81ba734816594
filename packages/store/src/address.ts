/** An address as it may be shown and logged. */
export function withoutPassword(address: string): string {
  try {
    const url = new URL(address);
    if (url.password !== '') url.password = '***';
    return url.href;
  } catch {
    return address;
  }
}
