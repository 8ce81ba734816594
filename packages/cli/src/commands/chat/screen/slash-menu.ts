import { type SlashCommand, slashCommands } from './commands.js';
import type { ChatState } from './state.js';

/** The commands that can be meant by what is typed, and the one that Enter would take. */
export interface SlashMenu {
  readonly commands: readonly SlashCommand[];
  readonly chosen: number;
}

/** The menu as long as it is open: one types the name of a command, and has not closed it. */
export function slashMenu({ editor, menu }: Pick<ChatState, 'editor' | 'menu'>): SlashMenu | undefined {
  if (menu === undefined) return undefined;
  const commands = matching(editor.text);
  return commands.length === 0 ? undefined : { commands, chosen: Math.min(menu, commands.length - 1) };
}

/** Whether a menu belongs to a text. */
export function opensMenu(text: string): boolean {
  return matching(text).length > 0;
}

/** The menu with the mark moved; it goes round. */
export function moved({ commands, chosen }: SlashMenu, by: 1 | -1): number {
  return (chosen + by + commands.length) % commands.length;
}

function matching(text: string): readonly SlashCommand[] {
  if (!/^\/\w*$/.test(text)) return [];
  const typed = text.slice(1).toLowerCase();
  return slashCommands.filter(({ name }) => name.startsWith(typed));
}
