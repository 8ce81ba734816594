import type { Json } from 'loopfuse';
import type { FileFormat, Recorder } from '../format.js';
import { parseDocument } from '../records/parse-document.js';
import { type Database, type Named, openDatabase } from '../sqlite/index.js';
import { obj, timeOf } from '../translating/json.js';
import { createSessions } from './session.js';

/** opencode's database (`$XDG_DATA_HOME/opencode/opencode.db`), also while opencode writes to it. */
export const opencodeDatabase: FileFormat = {
  name: 'opencode',
  shape: 'file',
  sniff: ({ bytes }) => bytes.toString('latin1', 0, 16) === 'SQLite format 3\0',
  read(recorder) {
    const database = openDatabase(recorder.file, (message) => recorder.fault(message));
    try {
      if (!['session', 'message', 'part'].every((name) => database.tables.includes(name))) return false;
      const unwanted = unwantedIn(database, recorder.wants);
      const sessions = createSessions(recorder);
      for (const row of database.rows('session'))
        if (typeof row.id === 'string' && !unwanted.has(row.id))
          sessions.session(row.id, row as { [column: string]: Json });
      for (const row of database.rows('message'))
        if (typeof row.id === 'string' && typeof row.session_id === 'string' && !unwanted.has(row.session_id))
          sessions.message(dataOf(row), { id: row.id, sessionId: row.session_id });
      for (const row of database.rows('part'))
        if (typeof row.message_id === 'string' && !unwanted.has(row.session_id))
          sessions.part(dataOf(row), { messageId: row.message_id, at: timeOf(row.time_created as Json) });
      sessions.end();
      return true;
    } finally {
      database.close();
    }
  },
};

/** The column with the time of the last change: messages and parts change while they are written. */
const changed = 'time_updated';

/** The sessions to skip. The revision of a session is the number of its messages and parts, and their last change. */
function unwantedIn(database: Database, wants: Recorder['wants']): ReadonlySet<unknown> {
  const tables = ['message', 'part'];
  const hasRevisions = tables.every((table) =>
    ['session_id', changed].every((name) => database.columns(table).includes(name)),
  );
  if (wants === undefined || !hasRevisions) return new Set();
  const revisions = new Map<string, { rows: number; last: number }>();
  for (const table of tables)
    for (const { session_id: id, [changed]: at } of database.rows(table, changed)) {
      if (typeof id !== 'string') continue;
      const { rows, last } = revisions.get(id) ?? { rows: 0, last: 0 };
      revisions.set(id, { rows: rows + 1, last: typeof at === 'number' ? Math.max(last, at) : last });
    }
  const unwanted = new Set<string>();
  for (const [id, { rows, last }] of revisions) if (!wants(id, `${rows} ${last}`)) unwanted.add(id);
  return unwanted;
}

function dataOf(row: Named) {
  return obj(parseDocument(String(row.data)));
}
