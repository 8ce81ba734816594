import type { Palette } from './palette.js';
import type { Scene } from './scene.js';
import type { Stretch } from './stretch.js';

/** Draws the whole session as a strip: novelty, loops, and the part that is shown. */
export function drawStrip(
  context: CanvasRenderingContext2D,
  scene: Scene,
  palette: Palette,
  shown: Stretch,
  { width, height }: { readonly width: number; readonly height: number },
): void {
  const scale = width / scene.width;
  context.fillStyle = palette.novelty;
  for (const [k, { novelty }] of scene.items.entries()) {
    context.globalAlpha = 0.08 + (0.4 * novelty) / 100;
    context.fillRect((scene.places[k]! - 0.5) * scale, 4, Math.max(1, scale), height - 8);
  }
  for (const { loop, from, to } of scene.spans) {
    context.globalAlpha = 0.75;
    context.fillStyle = loop.status === 'looping' ? palette.loop : palette.suspect;
    context.fillRect(from * scale, 0, Math.max(2, (to - from) * scale), 4);
  }
  context.globalAlpha = 0.6;
  context.fillStyle = palette.paper;
  context.fillRect(0, 4, shown.from * scale, height - 8);
  context.fillRect(shown.to * scale, 4, width - shown.to * scale, height - 8);
  context.globalAlpha = 1;
  context.strokeStyle = palette.focus;
  context.lineWidth = 1.5;
  context.beginPath();
  context.roundRect(shown.from * scale + 0.75, 2, Math.max(4, (shown.to - shown.from) * scale - 1.5), height - 4, 4);
  context.stroke();
}
