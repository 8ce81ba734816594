import type { Json } from 'loopfuse';
import type { FileFormat } from '../format.js';
import { obj, timeOf } from '../json.js';
import { type Named, openDatabase } from '../sqlite/index.js';
import { createSessions } from './session.js';

/** opencode's database (`$XDG_DATA_HOME/opencode/opencode.db`), while opencode writes to it, too. */
export const opencodeDatabase: FileFormat = {
  name: 'opencode',
  shape: 'file',
  sniff: ({ bytes }) => bytes.toString('latin1', 0, 16) === 'SQLite format 3\0',
  read(recorder) {
    const database = openDatabase(recorder.file, (message) => recorder.fault(message));
    try {
      if (!['session', 'message', 'part'].every((name) => database.tables.includes(name))) return false;
      const sessions = createSessions(recorder);
      for (const row of database.rows('session'))
        if (typeof row.id === 'string') sessions.session(row.id, row as { [column: string]: Json });
      for (const row of database.rows('message'))
        if (typeof row.id === 'string' && typeof row.session_id === 'string')
          sessions.message(dataOf(row), { id: row.id, sessionId: row.session_id });
      for (const row of database.rows('part'))
        if (typeof row.message_id === 'string')
          sessions.part(dataOf(row), { messageId: row.message_id, at: timeOf(row.time_created as Json) });
      sessions.end();
      return true;
    } finally {
      database.close();
    }
  },
};

function dataOf(row: Named) {
  try {
    return obj(JSON.parse(String(row.data)) as Json);
  } catch {
    return obj(null);
  }
}
