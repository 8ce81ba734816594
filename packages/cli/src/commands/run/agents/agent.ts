/** How a program is started, and the clean-up when it has ended. */
export interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A sentence for the user. */
  readonly remark?: string;
  readonly end?: () => void;
}

export interface LaunchRequest {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly cwd: string;
  /** The user's `--upstream`: where requests are sent if the agent names no base URL. */
  readonly upstream: string | undefined;
  /** The address at the gateway that replaces a base URL. */
  mount(base: string): string;
}

/** Points one agent at the gateway. */
export type Launcher = (request: LaunchRequest) => Launch;
