/** The visible text of a part of a page. */
export function textOf(locator, options) {
  // biome-ignore lint/performance/useDomNodeTextContent: what is laid out is the point
  return locator.innerText(options);
}
