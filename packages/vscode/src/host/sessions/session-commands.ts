import { unlink } from 'node:fs/promises';
import type { SessionSummary } from '@loopfuse/agent';
import { window } from 'vscode';
import type { Chat } from '../chat/chat.js';
import type { Node, SessionsTree } from './sessions-tree.js';
import type { TimelineDocuments } from './timeline-documents.js';

export interface SessionCommandsParts {
  readonly chat: () => Promise<Chat>;
  readonly tree: SessionsTree;
  readonly timelines: TimelineDocuments;
  readonly own: () => Promise<readonly SessionSummary[]>;
  readonly reveal: () => void;
}

/** The commands for sessions. Each takes a node of the tree, or asks for a session if there is none. */
export function sessionCommands({ chat, tree, timelines, own, reveal }: SessionCommandsParts) {
  async function pick(title: string): Promise<SessionSummary | undefined> {
    const sessions = await own();
    if (sessions.length === 0)
      return void window.showInformationMessage('No session of this folder has been recorded yet.');
    const items = sessions.map((session) => ({
      session,
      label: session.halted ? `$(warning) ${session.title}` : session.title || '(no messages)',
      description: new Date(session.updatedAt).toLocaleString(),
      detail: `${session.messages} messages with ${session.model}`,
    }));
    return (await window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true }))?.session;
  }

  async function ownOf(node: Node | undefined, title: string): Promise<SessionSummary | undefined> {
    return node?.type === 'own' ? node.session : pick(title);
  }

  return {
    async resume(node?: Node) {
      const session = await ownOf(node, 'Resume a session');
      if (session === undefined) return;
      reveal();
      await (await chat()).resume(session.id);
    },
    async openSession(node?: Node) {
      if (node?.type === 'session') return timelines.show(node.session);
      const file = node?.type === 'trace' ? node.file : (await ownOf(node, 'Show the timeline of a session'))?.file;
      if (file === undefined) return;
      const [first, ...more] = await tree.sessionsIn(file);
      if (first === undefined) return;
      const items = [first, ...more].map((session) => ({ session, label: session.title, description: session.id }));
      const chosen =
        more.length === 0 ? first : (await window.showQuickPick(items, { title: 'Which session?' }))?.session;
      if (chosen !== undefined) await timelines.show(chosen);
    },
    async openFinding(node?: Node) {
      if (node?.type === 'loop') await timelines.show(node.session, node.loop);
    },
    async deleteSession(node?: Node) {
      const session = await ownOf(node, 'Delete a session');
      if (session === undefined) return;
      const question = `Delete “${session.title}”? It cannot be brought back.`;
      if ((await window.showWarningMessage(question, { modal: true }, 'Delete')) !== 'Delete') return;
      const current = await chat();
      if (current.sessionId === session.id) await current.newChat();
      await unlink(session.file);
      tree.refresh();
    },
    refreshSessions: () => tree.refresh(),
  };
}
