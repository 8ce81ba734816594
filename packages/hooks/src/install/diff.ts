/** One line of a difference: kept, added or removed; `gap` means kept lines that are not shown. */
export interface DiffLine {
  readonly type: 'kept' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

const around = 2;

/** What changes between two texts, line by line, with a few lines around it. Null means no file. */
export function diffOf(before: string | null, after: string | null): readonly DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const lines: DiffLine[] = [
    ...old.slice(0, head).map(kept),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(kept),
  ];
  return shortened(lines);
}

/** By the longest common subsequence, unless that is too much work. */
function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed = old.map((text): DiffLine => ({ type: 'removed', text }));
  const added = now.map((text): DiffLine => ({ type: 'added', text }));
  if (old.length * now.length > 1_000_000) return [...removed, ...added];
  const longest = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let a = old.length - 1; a >= 0; a--)
    for (let b = now.length - 1; b >= 0; b--)
      longest[a]![b] =
        old[a] === now[b] ? longest[a + 1]![b + 1]! + 1 : Math.max(longest[a + 1]![b]!, longest[a]![b + 1]!);
  const lines: DiffLine[] = [];
  let a = 0;
  let b = 0;
  while (a < old.length || b < now.length) {
    if (a < old.length && b < now.length && old[a] === now[b]) {
      lines.push(kept(old[a]!));
      a++;
      b++;
    } else if (b < now.length && (a === old.length || longest[a]![b + 1]! > longest[a + 1]![b]!))
      lines.push(added[b++]!);
    else lines.push(removed[a++]!);
  }
  return lines;
}

function shortened(lines: readonly DiffLine[]): DiffLine[] {
  const shown = new Set<number>();
  lines.forEach(({ type }, at) => {
    if (type !== 'kept') for (let near = at - around; near <= at + around; near++) shown.add(near);
  });
  const result: DiffLine[] = [];
  lines.forEach((line, at) => {
    if (shown.has(at)) result.push(line);
    else if (result.at(-1)?.type !== 'gap') result.push({ type: 'gap', text: '' });
  });
  return result;
}

function kept(text: string): DiffLine {
  return { type: 'kept', text };
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
