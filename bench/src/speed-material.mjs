/**
 * What the speed bench feeds: text and calls that look like honest work, the same in every run.
 * @typedef {{ id: string, tool: string, input: { [key: string]: string | number }, output: string }} Call
 */

const words =
  'the of and to in is that it for was on are with as his they be at one have this from by hot but some what there we can out other were all your when up use word how said each she which do their time will way about many then them would write like so these her long make thing see him two has look more day could go come did my sound no most number who over know water than call first people may down side been now find any new work part take get place made live where after back little only round man year came show every good me give our under name very through just form much great think say help low line before turn cause same mean differ move right boy old too does tell sentence set three want air well also play small end put home read hand port large spell add even land here must big high such follow act why ask men change went light kind off need house picture try us again animal point mother world near build self earth father head stand own page should country found answer school grow study still learn plant cover food sun four thought let keep eye never last door between city tree cross since hard start might story saw far sea draw left late run while press close night real life few stop open seem together next white children begin got walk example ease paper often always music those both mark book letter until mile river car feet care second group carry took rain eat room friend began idea fish mountain north once base hear horse cut sure watch colour face wood main enough plain girl usual young ready above ever red list though feel talk bird soon body dog family direct pose leave song measure state product black short class wind question happen complete ship area half rock order fire south problem piece told knew pass farm top whole king size heard best hour better true during hundred remember step early hold west ground interest reach fast five sing listen six table travel less morning ten simple several vowel toward war lay against pattern slow centre love person money serve appear road map science rule govern pull cold notice voice fall power town fine certain fly unit lead cry dark machine note wait plan figure star box noun field rest correct able pound done beauty drive stood contain front teach week final gave green quick develop sleep warm free minute strong special mind behind clear tail produce fact street inch lot nothing course stay wheel full force blue object decide surface deep moon island foot yet busy test record boat common gold possible plane age dry wonder laugh thousand ago ran check game shape yes miss heat snow bed bring sit perhaps fill east weight language among'.split(
    ' ',
  );

/** Prose of at least `length` characters: sentences of common words, from a generator with a fixed seed. */
export function prose(/** @type {number} */ length) {
  const random = generator(7);
  let text = '';
  while (text.length < length) {
    const sentence = Array.from(
      { length: 6 + Math.floor(random() * 12) },
      () => words[Math.floor(random() * words.length)],
    ).join(' ');
    text += `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.${random() < 0.12 ? '\n\n' : ' '}`;
  }
  return text.slice(0, length);
}

/** Small calls: files read here and there. @returns {Call[]} */
export function readCalls(/** @type {number} */ count) {
  return asParsed(
    Array.from({ length: count }, (_, k) => ({
      id: `call-${k}`,
      tool: 'read_file',
      input: { path: `src/module-${k % 977}/part-${k % 31}.ts`, offset: k % 400, limit: 200 },
      output: `export const value${k} = ${k * 7919};`,
    })),
  );
}

/** Calls that write files of some `length` characters. @returns {Call[]} */
export function writeCalls(/** @type {number} */ count, /** @type {number} */ length) {
  const contents = Array.from({ length: 16 }, (_, k) => prose(length + k));
  return asParsed(
    Array.from({ length: count }, (_, k) => ({
      id: `call-${k}`,
      tool: 'write_file',
      input: { path: `src/module-${k}.ts`, content: /** @type {string} */ (contents[k % contents.length]) },
      output: `Wrote src/module-${k}.ts.`,
    })),
  );
}

/** Calls as they come off a wire: strings that a parser made are laid out otherwise than strings put together here. */
function asParsed(/** @type {Call[]} */ calls) {
  return /** @type {Call[]} */ (JSON.parse(JSON.stringify(calls)));
}

/** Mulberry32. */
function generator(/** @type {number} */ seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}
