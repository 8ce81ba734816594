/** A key that was pressed, or text that was typed or pasted. */
export type Key = { readonly type: 'text'; readonly text: string } | { readonly type: KeyName };

/** Keys that are not text, named after their function in a text editor. */
export type KeyName =
  | 'enter'
  | 'newline' // a line break that does not send: Ctrl-J, Alt-Enter, Shift-Enter
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'delete-word'
  | 'delete-to-start'
  | 'delete-to-end'
  | 'interrupt' // Ctrl-C
  | 'close' // Ctrl-D
  | 'details'; // Ctrl-O
