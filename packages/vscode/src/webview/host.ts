import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ToHost } from '../protocol/index.js';
import type { Deed } from './state/reduce.js';

/** The page's way to the extension. */
export interface Host {
  post(message: ToHost): void;
  /** What stands in the composer: all that the page keeps by itself. */
  draft: string;
}

interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

export function openHost(): Host {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    get draft() {
      const { draft } = (api.getState() ?? {}) as { draft?: unknown };
      return typeof draft === 'string' ? draft : '';
    },
    set draft(draft) {
      api.setState({ draft });
    },
  };
}

/** What components can do. */
export interface Hands {
  readonly host: Host;
  /** Shows what the person has done before the host says anything about it. */
  readonly show: (deed: Deed) => void;
}

export const HandsContext = createContext<Hands | undefined>(undefined);

export function useHands(): Hands {
  const hands = useContext(HandsContext);
  if (hands === undefined) throw new Error('a component of the chat stands outside of HandsContext');
  return hands;
}
