const vocabulary =
  `river stone window garden letter engine morning bridge paper colour market winter shadow harbour silver teacher
  forest candle kitchen mountain bottle corner island summer thunder village mirror ladder pocket branch copper signal
  carry follow gather notice borrow measure answer wander settle return change listen finish remember cross open
  quiet early narrow heavy bright distant careful warm hollow steady before behind under without around towards`.split(
    /\s+/,
  );

/** The given number of words without meaning and without repetition; the same in every run. */
export function prose(count) {
  let seed = 42;
  const draw = (below) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const said = [];
  while (said.length < count) {
    const sentence = Array.from({ length: 6 + draw(9) }, () => vocabulary[draw(vocabulary.length)]);
    sentence[0] = sentence[0][0].toUpperCase() + sentence[0].slice(1);
    sentence.push(`${sentence.pop()}.`);
    said.push(...sentence);
  }
  return said.slice(0, count).join(' ');
}
