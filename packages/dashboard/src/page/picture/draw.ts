import { short, timeOf } from '../words.js';
import { type Band, type Bands, inset } from './bands.js';
import type { Palette } from './palette.js';
import type { Arc, Axis, Scene } from './scene.js';
import type { Stretch } from './stretch.js';

export interface Drawing {
  readonly scene: Scene;
  readonly bands: Bands;
  readonly palette: Palette;
  readonly shown: Stretch;
  readonly axis: Axis;
  /** In pixels, without the labels. */
  readonly width: number;
  readonly selected: number;
  readonly pointed: number;
  /** Only events of this lane are drawn in full; undefined for all lanes. */
  readonly lane: { readonly name: string | undefined } | undefined;
}

/** Draws a session. The caller has cleared and scaled `context`. */
export function draw(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { scene, bands, palette, shown, width } = drawing;
  const scale = (width - 2 * inset) / (shown.to - shown.from);
  const x = (place: number) => inset + (place - shown.from) * scale;
  const isQuiet = (item: number) => drawing.lane !== undefined && scene.items[item]!.lane !== drawing.lane.name;

  shadeSpans();
  ruleRows();
  drawGaps();
  drawCurves();
  drawArcs(scene.sameCalls, bands.callArcs, 'up');
  drawArcs(scene.sameResults, bands.resultArcs, 'down');
  drawMarks();
  drawAxis();
  drawPointers();

  function shadeSpans(): void {
    for (const { loop, from, to, seen } of scene.spans) {
      const left = x(from);
      const right = Math.max(left + 3, x(to));
      if (right < 0 || left > width) continue;
      const colour = loop.status === 'looping' ? palette.loop : palette.suspect;
      const bottom = bands.curves.bottom;
      context.globalAlpha = loop.status === 'looping' ? 0.1 : 0.07;
      context.fillStyle = colour;
      context.fillRect(left, 18, right - left, bottom - 18);
      context.globalAlpha = 1;
      context.fillRect(left, 18, right - left, 3);
      context.globalAlpha = 0.5;
      context.fillRect(left, 18, 1, bottom - 18);
      const seenAt = x(scene.places[seen]!);
      context.globalAlpha = 0.9;
      context.beginPath();
      context.moveTo(seenAt - 5, 21);
      context.lineTo(seenAt + 5, 21);
      context.lineTo(seenAt, 28);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  function ruleRows(): void {
    context.fillStyle = palette.line;
    for (let k = 0; k < scene.rows.length; k++) {
      const y = bands.rows.top + (k + 0.5) * bands.rowHeight;
      context.fillRect(0, Math.round(y), width, 1);
    }
  }

  function drawGaps(): void {
    context.strokeStyle = palette.quiet;
    context.lineWidth = 1;
    for (const [k, { type, seq, last }] of scene.items.entries()) {
      if (type !== 'gap') continue;
      const left = x(scene.places[k]! - scene.gapWidth / 2);
      const right = x(scene.places[k]! + scene.gapWidth / 2);
      if (right < 0 || left > width) continue;
      const label = short(last - seq + 1);
      context.font = '11px system-ui, sans-serif';
      context.fillStyle = palette.faint;
      const room = context.measureText(label).width;
      if (room < right - left) context.fillText(label, (left + right - room) / 2, bands.rows.top - 6);
      context.save();
      context.globalAlpha = 0.35;
      context.beginPath();
      context.rect(left, bands.rows.top, right - left, bands.rows.bottom - bands.rows.top);
      context.clip();
      context.beginPath();
      for (let at = left - 200; at < right; at += 7) {
        context.moveTo(at, bands.rows.bottom);
        context.lineTo(at + 200, bands.rows.bottom - 200);
      }
      context.stroke();
      context.restore();
    }
  }

  function drawMarks(): void {
    const wide = Math.min(14, Math.max(1.5, scale * 0.72));
    for (const [k, item] of scene.items.entries()) {
      const centre = x(scene.places[k]!);
      const row = scene.rowOf[k]!;
      if (row < 0 || centre < -20 || centre > width + 20) continue;
      const y = bands.rows.top + (row + 0.5) * bands.rowHeight;
      context.globalAlpha = isQuiet(k) ? 0.15 : 1;
      if (item.type === 'prompt') {
        context.fillStyle = palette.ink;
        diamond(centre, y, 5);
      } else if (item.type === 'call') drawCall(k, centre, y, wide);
      else if (item.type === 'says' || item.type === 'thinks') {
        context.fillStyle = colourOf(k);
        rounded(centre - wide / 2, y - 3.5, wide, 7, 2);
      } else {
        context.fillStyle = palette.suspect;
        diamond(centre, y, 4.5);
      }
    }
    context.globalAlpha = 1;
  }

  function drawCall(k: number, centre: number, y: number, wide: number): void {
    const { status } = scene.items[k]!;
    const tall = Math.min(14, bands.rowHeight - 8);
    context.fillStyle = colourOf(k);
    if (status === 'unseen' || status === 'refused') {
      context.strokeStyle = colourOf(k);
      context.lineWidth = 1.5;
      context.strokeRect(centre - wide / 2 + 0.75, y - tall / 2 + 0.75, Math.max(0.5, wide - 1.5), tall - 1.5);
    } else rounded(centre - wide / 2, y - tall / 2, wide, tall, 3);
    if (status !== 'failed') return;
    context.fillStyle = palette.failed;
    rounded(centre - wide / 2, y + tall / 2 + 1.5, wide, 2.5, 1);
  }

  function colourOf(k: number): string {
    const colour = scene.colours[k]!;
    if (colour < 0) return palette.quiet;
    return palette.repeated[colour] ?? palette.repeated.at(-1)!;
  }

  function drawArcs(arcs: readonly Arc[], band: Band, way: 'up' | 'down'): void {
    const room = band.bottom - band.top - 3;
    const base = way === 'up' ? band.bottom : band.top;
    for (const { from, to } of arcs) {
      const left = x(scene.places[from]!);
      const right = x(scene.places[to]!);
      if (right < 0 || left > width) continue;
      const isIn = scene.inLoop[from]! && scene.inLoop[to]!;
      // Short arcs are half circles; long ones are flattened to fit.
      const half = (right - left) / 2;
      const high = half < room * 0.6 ? half : room * (0.6 + 0.4 * (1 - (room * 0.6) / half));
      context.globalAlpha = (isIn ? 0.85 : 0.3) * (isQuiet(from) ? 0.2 : 1);
      context.strokeStyle = way === 'up' ? colourOf(from) : isIn ? palette.loop : palette.quiet;
      context.lineWidth = isIn ? 1.5 : 1;
      context.beginPath();
      context.ellipse((left + right) / 2, base, half, high, 0, way === 'up' ? Math.PI : 0, way === 'up' ? 0 : Math.PI);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  function drawCurves(): void {
    const { top, bottom } = bands.curves;
    const tall = bottom - top;
    context.fillStyle = palette.line;
    context.fillRect(0, bottom, width, 1);
    const lanes = drawing.lane === undefined ? scene.lanes : [drawing.lane.name];
    for (const lane of lanes) {
      const own = scene.items.flatMap((item, k) => (item.lane === lane || item.type === 'gap' ? [k] : []));
      const points = own.map((k) => [x(scene.places[k]!), bottom - (tall * scene.items[k]!.novelty) / 100] as const);
      const [first] = points;
      const last = points.at(-1);
      if (first === undefined || last === undefined) continue;
      context.beginPath();
      context.moveTo(first[0], first[1]);
      for (const [left, y] of points) context.lineTo(left, y);
      // Of several lanes, those with loops stand out.
      const isMain =
        lanes.length === 1 || scene.spans.length === 0 || scene.spans.some(({ loop }) => loop.lane === lane);
      context.strokeStyle = palette.novelty;
      context.globalAlpha = isMain ? 1 : 0.35;
      context.lineWidth = isMain ? 2 : 1;
      context.lineJoin = 'round';
      context.stroke();
      if (isMain) {
        context.lineTo(last[0], bottom);
        context.lineTo(first[0], bottom);
        context.globalAlpha = 0.13;
        context.fillStyle = palette.novelty;
        context.fill();
      }
      context.globalAlpha = 1;
    }
    context.beginPath();
    let y = bottom;
    context.moveTo(0, y);
    for (const [k, share] of scene.progress.entries()) {
      const at = x(scene.places[k]!);
      context.lineTo(at, y);
      y = bottom - tall * share;
      context.lineTo(at, y);
    }
    context.lineTo(x(scene.width), y);
    context.strokeStyle = palette.progress;
    context.lineWidth = 1.5;
    context.setLineDash([5, 3]);
    context.stroke();
    context.setLineDash([]);
  }

  function drawAxis(): void {
    const y = bands.axis.top + 15;
    context.fillStyle = palette.faint;
    context.font = '11px system-ui, sans-serif';
    let free = 0;
    for (const [k, item] of scene.items.entries()) {
      const at = x(scene.places[k]!);
      if (at < free || at > width - 10) continue;
      const label = drawing.axis === 'time' && item.at !== undefined ? timeOf(item.at) : String(item.seq);
      const room = context.measureText(label).width;
      if (at - room / 2 < 0 || at + room / 2 > width) continue;
      context.fillRect(Math.round(at), bands.axis.top, 1, 4);
      context.fillText(label, at - room / 2, y);
      free = at + Math.max(90, room + 40);
    }
  }

  function drawPointers(): void {
    for (const [item, alpha] of [
      [drawing.pointed, 0.35],
      [drawing.selected, 1],
    ] as const) {
      const place = scene.places[item];
      if (place === undefined) continue;
      const at = x(place);
      context.globalAlpha = alpha;
      context.fillStyle = palette.focus;
      context.fillRect(at - 0.75, bands.callArcs.top, 1.5, bands.curves.bottom - bands.callArcs.top);
      const row = scene.rowOf[item]!;
      if (row < 0) continue;
      context.strokeStyle = palette.focus;
      context.lineWidth = 2;
      const y = bands.rows.top + (row + 0.5) * bands.rowHeight;
      context.beginPath();
      context.roundRect(at - 10, y - bands.rowHeight / 2 + 1, 20, bands.rowHeight - 2, 5);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  function rounded(left: number, top: number, wide: number, tall: number, radius: number): void {
    context.beginPath();
    context.roundRect(left, top, wide, tall, wide < 4 ? 0 : radius);
    context.fill();
  }

  function diamond(centre: number, y: number, size: number): void {
    context.beginPath();
    context.moveTo(centre, y - size);
    context.lineTo(centre + size, y);
    context.lineTo(centre, y + size);
    context.lineTo(centre - size, y);
    context.fill();
  }
}
