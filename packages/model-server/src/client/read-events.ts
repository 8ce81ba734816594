/** One server-sent event. */
export interface ServerEvent {
  readonly event?: string;
  readonly data: string;
}

/** Reads server-sent events from bytes that are cut anywhere, even within a character. An unfinished event is dropped. */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true });
    for (;;) {
      const end = /\r\n\r\n|\n\n|\r\r/.exec(rest);
      if (!end) break;
      const event = parseEvent(rest.slice(0, end.index));
      rest = rest.slice(end.index + end[0].length);
      if (event) yield event;
    }
  }
}

function parseEvent(block: string): ServerEvent | undefined {
  const data: string[] = [];
  let event: string | undefined;
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
  }
  if (data.length === 0) return undefined;
  return { ...(event === undefined ? {} : { event }), data: data.join('\n') };
}
