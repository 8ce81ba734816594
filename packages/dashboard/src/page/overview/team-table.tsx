import { useMemo, useState } from 'preact/hooks';
import { hashOf, start } from '../place.js';
import { baseName, dollars, grouped, oneLine, short } from '../words.js';
import { noFilters } from './filters.js';
import type { Row } from './row.js';
import { type Group, linesOf, tellingGroup } from './team-lines.js';
import { shareInWords } from './totals.js';

const titles: { readonly [group in Group]: string } = {
  project: 'Project',
  model: 'Model',
  agent: 'Agent',
  author: 'Person',
};

const few = 8;

/** For teams: what loops cost by project, model, agent, or person, beside all that was used there. */
export function TeamTable({ rows }: { readonly rows: readonly Row[] }) {
  const [chosen, setGroup] = useState<Group>();
  const [showsAll, setShowsAll] = useState(false);
  const groups = (Object.keys(titles) as Group[]).filter(
    (one) => one !== 'author' || rows.some(({ session }) => session.author !== undefined),
  );
  const group = useMemo(() => chosen ?? tellingGroup(rows), [rows, chosen]);
  const lines = useMemo(() => linesOf(rows, group), [rows, group]);
  const shown = showsAll ? lines : lines.slice(0, few);
  return (
    <section class="team" aria-label="For teams">
      <fieldset class="team-choice" aria-label="Group by">
        {groups.map((one) => (
          <button key={one} type="button" class="team-group" aria-pressed={one === group} onClick={() => setGroup(one)}>
            {titles[one]}
          </button>
        ))}
      </fieldset>
      <table>
        <thead>
          <tr>
            <th scope="col">{titles[group]}</th>
            <th scope="col">Sessions</th>
            <th scope="col">Looping</th>
            <th scope="col">Calls in loops</th>
            <th scope="col">Cost in loops</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, totals }) => (
            <tr key={name}>
              <th scope="row">
                <a href={hashOf({ ...start, filters: { ...noFilters, [group]: [name] } })} title={oneLine(name)}>
                  {oneLine(group === 'project' ? baseName(name) : name)}
                </a>
              </th>
              <td>{grouped(totals.sessions)}</td>
              <td>{grouped(totals.looping)}</td>
              <td>{short(totals.waste.calls)}</td>
              <td class={totals.waste.cost === undefined ? 'unknown' : ''}>
                {totals.loops === 0 ? dollars(0) : dollars(totals.waste.cost)}
              </td>
              <td>{shareInWords(totals)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > few && (
        <button type="button" class="more" onClick={() => setShowsAll(!showsAll)} aria-expanded={showsAll}>
          {showsAll ? 'fewer' : `all ${lines.length}`}
        </button>
      )}
    </section>
  );
}
