/** Combines two fingerprints into one. */
export function pair(a: number, b: number): number {
  const mixed = Math.imul(a ^ 0x27d4eb2f, 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35);
  return mixed ^ (mixed >>> 15);
}

/** A call's text as evidence keeps it: one line, at most 80 characters. */
export function shortLabel(label: string): string {
  const line = label.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** "a, b and c". */
export function inWords(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** Adds to a list that keeps only its last `most` items. */
export function keep<Item>(list: Item[], item: Item, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}

/** The last few numbers, in no order. It is a ring, because shifting a list costs more than everything else. */
export interface Ring {
  items: number[];
  next: number;
}

export function startRing(): Ring {
  return { items: [], next: 0 };
}

/** Whether a number is among the last `size` ones; if not, it is added. */
export function isKnown(ring: Ring, item: number, size: number): boolean {
  if (ring.items.includes(item)) return true;
  const at = (ring.next >>> 0) % size; // a broken snapshot may hold any number, which must not make a huge array
  ring.items[at] = item;
  ring.next = at + 1;
  return false;
}
