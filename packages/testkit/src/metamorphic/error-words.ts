/** Words of error messages in another language. Longer phrases come first, because they contain shorter ones. */
const words: readonly (readonly [string, string])[] = [
  ['syntax error', 'Schreibfehler'],
  ['does not exist', 'gibt es nirgends'],
  ["doesn't exist", 'gibt es nirgends'],
  ['no such file or directory', 'Datei oder Ordner nirgends'],
  ['command not found', 'Befehl nirgends'],
  ['not found', 'nirgends'],
  ['no such', 'keinerlei'],
  ['not allowed', 'untersagt'],
  ['not permitted', 'untersagt'],
  ['could not', 'vermochte nicht'],
  ["couldn't", 'vermochte nicht'],
  ['cannot', 'vermag nicht'],
  ["can't", 'vermag nicht'],
  ['unable to', 'ausserstande zu'],
  ['must be', 'muss sein'],
  ['already exists', 'gibt es schon'],
  ['exit code', 'Endwert'],
  ['exited with code', 'endete mit'],
  ['errors', 'Fehler'],
  ['error', 'Fehler'],
  ['exception', 'Ausnahme'],
  ['failures', 'Pannen'],
  ['failure', 'Panne'],
  ['failed', 'misslungen'],
  ['fails', 'misslingt'],
  ['fatal', 'schwerwiegend'],
  ['panic', 'Notfall'],
  ['traceback', 'Aufrufspur'],
  ['invalid', 'unzulaessig'],
  ['illegal', 'unzulaessig'],
  ['unexpected', 'unerwartet'],
  ['undefined', 'unbestimmt'],
  ['unknown', 'unbekannt'],
  ['unrecognized', 'unbekannt'],
  ['denied', 'verweigert'],
  ['forbidden', 'verboten'],
  ['unauthorized', 'unbefugt'],
  ['refused', 'abgelehnt'],
  ['rejected', 'abgewiesen'],
  ['missing', 'fehlend'],
  ['unsupported', 'nicht vorgesehen'],
  ['mismatch', 'Abweichung'],
];

const translations = new Map(words);
const known = new RegExp(words.map(([word]) => word).join('|'), 'gi');

export function inGerman(text: string): string {
  return text.replace(known, (word) => translations.get(word.toLowerCase()) ?? word);
}
