/**
 * The built page in a real browser, alone: every state, the keyboard, what it tells the extension, and how fast it is.
 *
 *     node packages/vscode/scripts/webview-test.mjs
 *
 * Builds the page first. Screenshots go to `out/webview`; what was measured is printed.
 */
import './webview/tests/conversation.mjs';
import './webview/tests/approval.mjs';
import './webview/tests/loop.mjs';
import './webview/tests/attachments.mjs';
import './webview/tests/edits.mjs';
import './webview/tests/keyboard.mjs';
import './webview/tests/frame.mjs';
import './webview/tests/pictures.mjs';
import './webview/tests/speed.mjs';
