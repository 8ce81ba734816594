/** How a program is started, and what must be undone when it has ended. */
export interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A sentence for the person, where there is something to know. */
  readonly remark?: string;
  readonly end?: () => void;
}

export interface LaunchRequest {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly cwd: string;
  /** Where requests go on to when the agent names no base URL, if the person says so. */
  readonly upstream: string | undefined;
  /** The address at the gateway in place of a base URL. */
  mount(base: string): string;
}

/** Points one agent at the gateway. */
export type Launcher = (request: LaunchRequest) => Launch;
