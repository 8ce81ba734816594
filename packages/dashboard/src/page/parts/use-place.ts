import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { hashOf, type Place, placeIn } from '../place.js';

/** Goes to a place: as a new step in the history, or instead of the current one. */
export type Go = (place: Place, how?: 'step' | 'instead') => void;

/** Browsers limit how often the address may change, and the wheel would exceed that. */
const pause = 150;

/** The place in the address, and a function to go to another. */
export function usePlace(): readonly [Place, Go] {
  const [place, setPlace] = useState(() => placeIn(location.hash));
  const later = useRef({ hash: '', timer: 0 });
  useEffect(() => {
    const read = () => {
      clearTimeout(later.current.timer);
      later.current.hash = '';
      setPlace(placeIn(location.hash));
    };
    addEventListener('popstate', read);
    addEventListener('hashchange', read);
    return () => {
      removeEventListener('popstate', read);
      removeEventListener('hashchange', read);
    };
  }, []);
  const go = useCallback<Go>((next, how = 'step') => {
    const hash = hashOf(next);
    const { current } = later;
    clearTimeout(current.timer);
    if (how === 'instead') {
      current.hash = hash;
      current.timer = setTimeout(() => {
        current.hash = '';
        history.replaceState(null, '', hash);
      }, pause);
    } else {
      if (current.hash !== '') history.replaceState(null, '', current.hash);
      current.hash = '';
      if (hash !== location.hash) history.pushState(null, '', hash);
    }
    setPlace(next);
  }, []);
  return [place, go];
}
