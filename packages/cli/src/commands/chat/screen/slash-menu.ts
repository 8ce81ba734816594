import { type SlashCommand, slashCommands } from './commands.js';
import type { ChatState } from './state.js';

/** The commands that match the typed text, and the selected one. */
export interface SlashMenu {
  readonly commands: readonly SlashCommand[];
  readonly chosen: number;
}

/** The menu while it is open: the text is the beginning of a command, and the user has not closed the menu. */
export function slashMenu({ editor, menu }: Pick<ChatState, 'editor' | 'menu'>): SlashMenu | undefined {
  if (menu === undefined) return undefined;
  const commands = matching(editor.text);
  return commands.length === 0 ? undefined : { commands, chosen: Math.min(menu, commands.length - 1) };
}

/** Whether a text opens the menu. */
export function opensMenu(text: string): boolean {
  return matching(text).length > 0;
}

/** The selection after a move; it wraps around. */
export function moved({ commands, chosen }: SlashMenu, by: 1 | -1): number {
  return (chosen + by + commands.length) % commands.length;
}

function matching(text: string): readonly SlashCommand[] {
  if (!/^\/\w*$/.test(text)) return [];
  const typed = text.slice(1).toLowerCase();
  return slashCommands.filter(({ name }) => name.startsWith(typed));
}
