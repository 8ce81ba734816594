import { Box, Text, type TextProps } from 'ink';
import { createContext, type ReactNode, useContext } from 'react';
import type { Colour } from '../../../terminal/paint.js';
import type { Line } from '../../../terminal/rich/span.js';
import type { Page } from './page.js';

/** The terminal that everything is drawn on. */
export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error('a view is drawn outside of a page');
  return page;
}

/** Lines that have been laid out already. */
export function Lines({ lines }: { readonly lines: readonly Line[] }): ReactNode {
  const { hasColours } = usePage();
  return (
    <Box flexDirection="column">
      {lines.map((line, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its place
        <Text key={nth} wrap="truncate-end">
          {line.length === 0
            ? ' '
            : line.map(({ text, colours }, k) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: neither has a span
                <Text key={k} {...(hasColours ? propsOf(colours) : {})}>
                  {text}
                </Text>
              ))}
        </Text>
      ))}
    </Box>
  );
}

function propsOf(colours: readonly Colour[]): TextProps {
  const props: { -readonly [Key in keyof TextProps]: TextProps[Key] } = {};
  for (const colour of colours) {
    if (colour === 'dim') props.dimColor = true;
    else if (colour === 'strike') props.strikethrough = true;
    else if (colour === 'bold' || colour === 'italic' || colour === 'underline' || colour === 'inverse')
      props[colour] = true;
    else props.color = colour;
  }
  return props;
}

/** A question in a frame, at the bottom of the screen. */
export function Frame({
  colour,
  children,
}: {
  readonly colour: 'yellow' | 'cyan';
  readonly children: ReactNode;
}): ReactNode {
  const { utf8, hasColours, columns } = usePage();
  return (
    <Box
      flexDirection="column"
      width={columns}
      paddingX={1}
      borderStyle={utf8 ? 'round' : 'classic'}
      {...(hasColours ? { borderColor: colour } : {})}
    >
      {children}
    </Box>
  );
}
