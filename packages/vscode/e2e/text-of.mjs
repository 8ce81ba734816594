/** What a person can read in a part of a page; hidden text is not among it. */
export function textOf(locator, options) {
  // biome-ignore lint/performance/useDomNodeTextContent: what is laid out is the point
  return locator.innerText(options);
}
