/** An address without its password, for messages and logs. If it is not a URL, only the scheme stays before the `@`. */
export function withoutPassword(address: string): string {
  try {
    const url = new URL(address);
    if (url.password !== '') url.password = '***';
    if (url.searchParams.has('password')) url.searchParams.set('password', '***');
    return url.href;
  } catch {
    const at = address.lastIndexOf('@');
    const scheme = address.indexOf('://');
    return at < 0 ? address : `${scheme < 0 ? '' : address.slice(0, scheme + '://'.length)}***${address.slice(at)}`;
  }
}
