import type { Detector, Readable } from '../detector.js';
import { eventTypes } from '../event.js';

/** For each thing that can be read, the detectors that read it, in the order given. */
export type Routes = Readonly<Record<Readable, readonly Stop[]>>;

/** A detector on a route. All stops have the same object shape, because mixed shapes are slow. */
export interface Stop {
  readonly detector: Detector;
  readonly observe: Detector['observe'];
  /** Index of the detector, and of its state in a lane. */
  readonly index: number;
}

export function routesOf(detectors: readonly Detector[]): Routes {
  const routes = Object.fromEntries([...eventTypes, 'step', 'words'].map((type) => [type, []])) as unknown as Record<
    Readable,
    Stop[]
  >;
  detectors.forEach((detector, index) => {
    const stop: Stop = { detector, observe: detector.observe, index };
    for (const type of new Set(detector.reads)) routes[type].push(stop);
  });
  return routes;
}
