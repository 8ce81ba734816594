import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ToHost } from '../protocol/index.js';
import type { PageAction } from './state/reduce.js';

/** The connection from the page to the extension. */
export interface Host {
  post(message: ToHost): void;
  /** The text in the composer: the only state that the page stores. */
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

/** The services that components use. */
export interface Services {
  readonly host: Host;
  /** Shows an action of the user before the host answers. */
  readonly show: (action: PageAction) => void;
}

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === undefined) throw new Error('a component of the chat was rendered outside of ServicesContext');
  return services;
}
