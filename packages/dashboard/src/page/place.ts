import { type Filters, noFilters } from './overview/filters.js';
import { isMeasure, type Measure } from './overview/measure.js';
import { isSortKey, type Sort } from './overview/sort.js';

/** The view of the report. It is part of the address, so that links and the back button work. */
export type Place = OverviewPlace | SessionPlace;

export interface OverviewPlace {
  readonly view: 'overview';
  readonly filters: Filters;
  readonly sort: Sort;
  readonly measure: Measure;
}

export interface SessionPlace {
  readonly view: 'session';
  /** Its index in the report. */
  readonly session: number;
  /** The selected event. */
  readonly event?: number;
  /** The part of the picture that is shown, in units of the scene. */
  readonly shown?: { readonly from: number; readonly to: number };
}

export const start: OverviewPlace = {
  view: 'overview',
  filters: noFilters,
  sort: { by: 'cost', descending: true },
  measure: 'loops',
};

const lists = ['agent', 'project', 'author', 'model', 'tool', 'kind'] as const;

/** Reads an address. Total: what it does not understand is left out. */
export function placeIn(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const params = new URLSearchParams(query);
  const [, session] = /^session\/(\d{1,9})$/.exec(path) ?? [];
  if (session !== undefined) {
    const event = whole(params.get('event'));
    const [from, to] = (params.get('shown') ?? '').split('~').map(Number);
    const isShown = from !== undefined && to !== undefined && Number.isFinite(from) && from < to && to < 1e9;
    return {
      view: 'session',
      session: Number(session),
      ...(event === undefined ? {} : { event }),
      ...(isShown ? { shown: { from, to } } : {}),
    };
  }
  const [by, direction] = (params.get('sort') ?? '').split(' ');
  const measure = params.get('measure');
  const only = params.get('only');
  return {
    view: 'overview',
    filters: {
      agent: params.getAll('agent'),
      project: params.getAll('project'),
      author: params.getAll('author'),
      model: params.getAll('model'),
      tool: params.getAll('tool'),
      kind: params.getAll('kind'),
      words: params.get('words') ?? '',
      from: dayIn(params.get('from')),
      to: dayIn(params.get('to')),
      only: only === 'loops' || only === 'suspicions' ? only : 'everything',
      minCalls: whole(params.get('calls')) ?? 0,
    },
    sort: isSortKey(by) ? { by, descending: direction !== 'up' } : start.sort,
    measure: isMeasure(measure) ? measure : start.measure,
  };
}

/** The address of a place. */
export function hashOf(place: Place): string {
  const params = new URLSearchParams();
  if (place.view === 'session') {
    const { event, shown } = place;
    if (event !== undefined) params.set('event', String(event));
    if (shown !== undefined) params.set('shown', `${round(shown.from)}~${round(shown.to)}`);
    return address(`session/${place.session}`, params);
  }
  const { filters, sort, measure } = place;
  for (const name of lists) for (const value of filters[name]) params.append(name, value);
  if (filters.words !== '') params.set('words', filters.words);
  if (filters.from !== undefined) params.set('from', filters.from);
  if (filters.to !== undefined) params.set('to', filters.to);
  if (filters.only !== 'everything') params.set('only', filters.only);
  if (filters.minCalls > 0) params.set('calls', String(filters.minCalls));
  if (sort.by !== start.sort.by || sort.descending !== start.sort.descending)
    params.set('sort', sort.descending ? sort.by : `${sort.by} up`);
  if (measure !== start.measure) params.set('measure', measure);
  return address('', params);
}

function address(path: string, params: URLSearchParams): string {
  const query = params.toString();
  return `#/${path}${query === '' ? '' : `?${query}`}`;
}

function whole(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function dayIn(text: string | null): string | undefined {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
