/**
 * Rules of the engine that can be taken out alone, each by changes to its source: `from` stands once in `file`.
 *
 * @typedef {{ name: string, changes: { file: string, from: string, to: string }[] }} Rule
 * @type {readonly Rule[]}
 */
export const rules = [
  {
    name: 'a long view with few other numbers is the same place',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/answers.ts',
        from: 'isLook || (isView && text >= sameText && numbers >= fewNumbers)',
        to: 'isLook',
      },
    ],
  },
  {
    name: 'a look may follow something that changes',
    changes: [
      { file: 'detectors/stale-rounds/weigh/answers.ts', from: 'const watched = 0.9;', to: 'const watched = 1;' },
    ],
  },
  {
    name: 'a move goes on from where the last one ended',
    changes: [{ file: 'detectors/stale-rounds/weigh/answers.ts', from: 'const moved = 0.5;', to: 'const moved = 1;' }],
  },
  {
    name: 'a run is repeated for what differs',
    changes: [
      { file: 'detectors/stale-rounds/weigh/answers.ts', from: 'const measured = 0.75;', to: 'const measured = 1;' },
    ],
  },
  {
    name: 'the very same change once more is no change',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/answers.ts',
        from: "if (same && !failed && step.effect === 'write' && !step.shell",
        to: "if (false && same && !failed && step.effect === 'write' && !step.shell",
      },
    ],
  },
  {
    name: 'a failure with less to complain of is another',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/answers.ts',
        from: 'isFewer(step.letters, rows[row + lettersAt]!) ? lessFails : 1',
        to: '1',
      },
    ],
  },
  {
    name: 'the line of an error',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/answers.ts',
        from: 'rows[row + errorLineAt] === error.line ?',
        to: 'false ?',
      },
    ],
  },
  {
    name: 'numbers of a failure count a little',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/answers.ts',
        from: 'const counterShare = 0.1',
        to: 'const counterShare = 0',
      },
    ],
  },
  {
    name: 'other numbers with another answer are another page',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/questions.ts',
        from: 'hasPages && answer < sameView && !isThought(rows, row, step) ? otherPage : numbersApart',
        to: 'numbersApart',
      },
    ],
  },
  {
    name: '…unless the very same was thought',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/questions.ts',
        from: 'hasPages && answer < sameView && !isThought(rows, row, step)',
        to: 'hasPages && answer < sameView',
      },
    ],
  },
  {
    name: 'many words that are all the same',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/questions.ts',
        from: 'alike === 1 && filledBuckets(rows, own + sketchAt) >= manyWords ? sameWords : ',
        to: '',
      },
    ],
  },
  {
    name: 'the message before a first refusal',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/questions.ts',
        from: 'const firstMessage = 0.93',
        to: 'const firstMessage = 0.85',
      },
    ],
  },
  {
    name: 'messages that share words',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/questions.ts',
        from: 'const sharedWords = 0.25',
        to: 'const sharedWords = 0',
      },
    ],
  },
  {
    name: 'one failure after the other',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/questions.ts',
        from: 'if (rows[row + acceptedAt] === now.accepted && now.news',
        to: 'if (false && rows[row + acceptedAt] === now.accepted && now.news',
      },
    ],
  },
  {
    name: 'the same failure of another tool',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/questions.ts',
        from: 'const failureElsewhere = 0.62',
        to: 'const failureElsewhere = 0',
      },
    ],
  },
  {
    name: 'the same long answer, whatever was asked',
    changes: [
      { file: 'detectors/stale-rounds/weigh/questions.ts', from: 'const sameAnswer = 0.8', to: 'const sameAnswer = 0' },
    ],
  },
  {
    name: 'a search in other words brings much the same',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/questions.ts',
        from: 'const isNear = sameTool && !isOther && isLong && answer >= nearAnswer;',
        to: 'const isNear = false;',
      },
    ],
  },
  {
    name: 'a bare failure about another thing',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/questions.ts',
        from: 'isOther && (isUnseen || step.error?.bare === true)',
        to: 'isOther && isUnseen',
      },
    ],
  },
  {
    name: 'a refusal counts while nothing is accepted',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/questions.ts',
        from: 'if (isMessage && rows[row + acceptedAt] !== now.accepted) continue;',
        to: '',
      },
    ],
  },
  {
    name: 'the same thought before the same call',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/questions.ts',
        from: 'if (known > 0.9 && isThought(rows, row, step)) thoughtBefore = true;',
        to: '',
      },
    ],
  },
  {
    name: 'a host that never answers',
    changes: [
      { file: 'detectors/stale-rounds/weigh/questions.ts', from: 'let isMute = isUnseen;', to: 'let isMute = false;' },
    ],
  },
  {
    name: 'calls that ask nothing in words',
    changes: [
      { file: 'detectors/stale-rounds/weigh/rounds.ts', from: 'const silentPace = 4', to: 'const silentPace = 1' },
    ],
  },
  {
    name: 'asked for again by the user',
    changes: [
      { file: 'detectors/stale-rounds/weigh/rounds.ts', from: 'const askedAgain = 0.65', to: 'const askedAgain = 1' },
    ],
  },
  {
    name: 'the same failure within a request',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/rounds.ts',
        from: 'const batchedFailure = 0.9',
        to: 'const batchedFailure = 0.6',
      },
    ],
  },
  {
    name: 'calls of one request',
    changes: [
      { file: 'detectors/stale-rounds/weigh/rounds.ts', from: '!step.batched ? 1 : !same', to: 'true ? 1 : !same' },
    ],
  },
  {
    name: 'a check that never says anything else',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/rounds.ts',
        from: 'if (failed && step.letters >= tellingFailure && !step.error!.infrastructure) weighed.steady = steadyOf(rows, now);',
        to: '',
      },
    ],
  },
  {
    name: 'a failure that no change gets at',
    changes: [{ file: 'detectors/stale-rounds/weigh/rounds.ts', from: 'weighed.failures += alike;', to: '' }],
  },
  {
    name: 'what comes back for every question',
    changes: [
      { file: 'detectors/stale-rounds/weigh/rounds.ts', from: '(1 + 0.4 * Math.max(0, weighed.others - 1))', to: '1' },
    ],
  },
  {
    name: 'cycles',
    changes: [
      {
        file: 'detectors/stale-rounds/stale-rounds.ts',
        from: 'if (cycle && cycle.rounds >=',
        to: 'if (false && cycle && cycle.rounds >=',
      },
    ],
  },
  {
    name: 'moves that go round',
    changes: [
      {
        file: 'detectors/stale-rounds/stale-rounds.ts',
        from: 'isBack(state, cycle, step) ? Math.min(times, equalRounds) : equalRounds',
        to: 'equalRounds',
      },
    ],
  },
  {
    name: 'a change that is made again after it was taken back',
    changes: [{ file: 'detectors/stale-rounds/stale-rounds.ts', from: 'if (remade.times >= times)', to: 'if (false)' }],
  },
  {
    name: 'a plan that is written again and again',
    changes: [
      {
        file: 'detectors/stale-rounds/stale-rounds.ts',
        from: 'const plan = planOf(state, reading);',
        to: 'const plan = undefined as any;',
      },
    ],
  },
  {
    name: 'a restart after which all waits as before',
    changes: [
      {
        file: 'detectors/stale-rounds/stale-rounds.ts',
        from: 'const waits = polls && !wasTouched(state, step);',
        to: 'const waits = polls;',
      },
    ],
  },
  {
    name: 'a search for one thing in other words',
    changes: [{ file: 'detectors/stale-rounds/stalls.ts', from: 'const theme = 3;', to: 'const theme = 0;' }],
  },
  {
    name: 'searches in vain',
    changes: [
      {
        file: 'detectors/stale-rounds/stalls.ts',
        from: 'const certainVain = 12_500;',
        to: 'const certainVain = 1e12;',
      },
    ],
  },
  {
    name: 'stale steps of all tools',
    changes: [
      { file: 'detectors/stale-rounds/stalls.ts', from: 'const certainIdle = 9_000;', to: 'const certainIdle = 1e12;' },
    ],
  },
  {
    name: 'acknowledged moves are no stale steps',
    changes: [
      {
        file: 'detectors/stale-rounds/stalls.ts',
        from: "const moves = step.effect === 'act' && isThin(step);",
        to: 'const moves = false;',
      },
    ],
  },
  {
    name: 'a find takes away half',
    changes: [
      {
        file: 'detectors/stale-rounds/stalls.ts',
        from: "const left = step.effect === 'read' && step.status === 'ok' ? 1 - newness / 2 : 0;",
        to: 'const left = 0;',
      },
    ],
  },
  {
    name: 'changes are acknowledged alike',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/proof.ts',
        from: "if (!same && step.effect === 'write' && step.letters < longRefusal) return acknowledged;",
        to: '',
      },
    ],
  },
  {
    name: 'a look shows all there is',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/proof.ts',
        from: "if (step.effect === 'write' || step.effect === 'read') return 1;",
        to: '',
      },
    ],
  },
  {
    name: 'an acknowledgement proves little',
    changes: [
      { file: 'detectors/stale-rounds/weigh/proof.ts', from: 'return step.trivial ? thinAnswer : ', to: 'return ' },
    ],
  },
  {
    name: 'failures of the surroundings',
    changes: [
      { file: 'detectors/stale-rounds/weigh/proof.ts', from: 'if (error.infrastructure) return least + 5;', to: '' },
    ],
  },
  {
    name: 'failures that do not say why',
    changes: [{ file: 'detectors/stale-rounds/weigh/proof.ts', from: 'error.bare ? 0.8 : same', to: 'same' }],
  },
  {
    name: 'varied failures need more',
    changes: [{ file: 'detectors/stale-rounds/weigh/proof.ts', from: 'same === 1 ? -0.04 : 0.3', to: '0' }],
  },
  {
    name: 'moves whose outcome is not seen',
    changes: [
      {
        file: 'detectors/stale-rounds/weigh/proof.ts',
        from: "step.effect === 'act' ? 3 : inRow ? -0.2 : 0.3",
        to: 'inRow ? -0.2 : 0.3',
      },
    ],
  },
  {
    name: 'varied changes need a fourth round',
    changes: [
      { file: 'detectors/stale-rounds/weigh/proof.ts', from: 'least + (inRow && same === 1 ? 0 : 0.5)', to: 'least' },
    ],
  },
  {
    name: 'short results are little news',
    changes: [
      {
        file: 'detectors/stale-rounds/news.ts',
        from: 'const tells = Math.min(1, (isFigures ? step.size / 2 : step.letters) / tellingLetters);',
        to: 'const tells = 1;',
      },
    ],
  },
  {
    name: 'an edit answered as one before was refused',
    changes: [
      {
        file: 'detectors/stale-rounds/news.ts',
        from: 'step.letters < longRefusal ? 1 : Math.min',
        to: 'true ? 1 : Math.min',
      },
    ],
  },
  {
    name: 'another answer to an old question is news',
    changes: [
      {
        file: 'detectors/stale-rounds/news.ts',
        from: 'const moved = turned > 0.3 && !step.error?.infrastructure ? turned : 0;',
        to: 'const moved = 0;',
      },
    ],
  },
  {
    name: 'a run may change something',
    changes: [
      {
        file: 'detectors/stale-rounds/news.ts',
        from: 'const maybe = maybeChange * (1 - tells * (1 - newness));',
        to: 'const maybe = maybeChange;',
      },
    ],
  },
  {
    name: 'what a host counts around results',
    changes: [
      {
        file: 'step/pending.ts',
        from: 'const body = withoutCounters(counters, text, error !== undefined);',
        to: 'const body = text;',
      },
    ],
  },
  {
    name: 'what a search brings at length',
    changes: [
      {
        file: 'step/pending.ts',
        from: "step.effect === 'read' && text.length > longFind ? none : step.words",
        to: 'step.words',
      },
    ],
  },
  {
    name: 'arguments that break off',
    changes: [{ file: 'step/pending.ts', from: 'if (step.cut && step.mutated)', to: 'if (false)' }],
  },
  {
    name: 'pictures',
    changes: [
      {
        file: 'step/pending.ts',
        from: 'if (step.picture && error === undefined && letters < toldInWords)',
        to: 'if (false)',
      },
    ],
  },
  {
    name: 'rows that a statement changed',
    changes: [{ file: 'step/pending.ts', from: 'text.length < longNotice && changedRows.test(text)', to: 'false' }],
  },
  {
    name: 'results that say that something waits',
    changes: [
      { file: 'step/pending.ts', from: 'if (mayWait && (cues & cue.wait) !== 0 && isWaiting(text))', to: 'if (false)' },
    ],
  },
  {
    name: 'calls that the user declined',
    changes: [
      { file: 'step/pending.ts', from: 'step.refused = (cues & cue.person) !== 0 && refusedByPerson(text);', to: '' },
    ],
  },
  {
    name: 'calls of which nobody knows what they ask',
    changes: [{ file: 'step/steps.ts', from: 'if (asked === undefined) begun.call', to: 'if (false) begun.call' }],
  },
  {
    name: 'thoughts',
    changes: [{ file: 'step/steps.ts', from: 'begun.thought = takeThought(state);', to: 'takeThought(state);' }],
  },
  {
    name: 'a page that is shown after a click',
    changes: [
      {
        file: 'step/steps.ts',
        from: 'if (last !== null && !state.spoken && isView(state.views, text))',
        to: 'if (false)',
      },
    ],
  },
  {
    name: 'what a message tells to do',
    changes: [
      { file: 'step/steps.ts', from: 'const action = hasTools ? 0 : hashOfAction(message);', to: 'const action = 0;' },
    ],
  },
  {
    name: 'a harness that asks for each command',
    changes: [{ file: 'step/steps.ts', from: "if (repeated === 'turn') return", to: 'if (false) return' }],
  },
  {
    name: 'the first refusal of a harness',
    changes: [{ file: 'step/steps.ts', from: 'if (repeated.opened !== undefined) steps', to: 'if (false) steps' }],
  },
  {
    name: 'prompts that a harness repeats',
    changes: [
      {
        file: 'step/steps.ts',
        from: 'if (repeated === undefined) return withSteps(given);',
        to: 'return withSteps(given);',
      },
    ],
  },
  {
    name: 'calls that were passed over',
    changes: [{ file: 'step/steps.ts', from: 'if (pending.some((one) => one.passed)) return giveUp(0);', to: '' }],
  },
  {
    name: 'calls of one first request',
    changes: [
      {
        file: 'step/steps.ts',
        from: 'if (!state.answers && !late && pending.length >= (state.inTurn ? mostInTurn : mostTwins)) return giveUp(0);',
        to: '',
      },
    ],
  },
  {
    name: 'hosts without results',
    changes: [
      {
        file: 'step/steps.ts',
        from: 'if (state.unanswered >= (state.answers ? muteAfter : muteFromStart) && !hidden) {',
        to: 'if (false) {',
      },
    ],
  },
  {
    name: 'lines that were logged twice',
    changes: [
      {
        file: 'step/steps.ts',
        from: "if (key !== '' && isUnderWay(state.pending, key, asked)) return hiddenEvent;",
        to: '',
      },
    ],
  },
  {
    name: 'prompts that are pictures',
    changes: [{ file: 'step/prompts.ts', from: 'isTold || isPicturePrompt(shown) ||', to: 'isTold ||' }],
  },
  {
    name: 'numbers that name a line',
    changes: [{ file: 'step/result-reader.ts', from: 'isNameOfLine(i, whole) ? whole : ', to: '' }],
  },
  {
    name: 'hexadecimal ids',
    changes: [
      { file: 'step/result-reader.ts', from: 'const isWhole = end - at >= 8 &&', to: 'const isWhole = false &&' },
    ],
  },
  {
    name: 'numbers that count',
    changes: [
      {
        file: 'step/result-reader.ts',
        from: 'const isCounted = i - lastEnd <= 3 && isCounter(lastWord) && !hasNewline(lastEnd, i);',
        to: 'const isCounted = false;',
      },
    ],
  },
  {
    name: 'names of exceptions',
    changes: [
      {
        file: 'step/result-reader.ts',
        from: 'if ((pad[i - 2]! | 32) === 111 && isErrorName(i)) cues |= cue.complaint;',
        to: '',
      },
    ],
  },
  {
    name: 'ids behind a label',
    changes: [{ file: 'step/result-reader.ts', from: 'if (isIdLabel(i)) end = idEnd(pad, i);', to: '' }],
  },
  {
    name: 'words of the call in its result',
    changes: [
      {
        file: 'step/result-reader.ts',
        from: 'return marks[word & (slots - 1)] === mark && words.includes(word);',
        to: 'return false;',
      },
    ],
  },
  {
    name: 'Chinese and Japanese signs',
    changes: [
      {
        file: 'step/result-reader.ts',
        from: '!((code >= 0x3040 && code < 0x3100) || (code >= 0x3400 && code < 0xa000))',
        to: 'true',
      },
    ],
  },
  {
    name: 'dates',
    changes: [
      {
        file: 'step/volatile-bytes.ts',
        from: 'if (next === 45 && end - at === 4 && isStamp(bytes, end)) return',
        to: 'if (false) return',
      },
    ],
  },
  {
    name: 'durations',
    changes: [{ file: 'step/volatile-bytes.ts', from: 'return isDuration(bytes, end) ? end : at;', to: 'return at;' }],
  },
  {
    name: 'colours',
    changes: [
      { file: 'step/outcome.ts', from: "text.includes('\\u001b') ? text.replace(colours, '') : text", to: 'text' },
    ],
  },
  {
    name: 'tags around a result',
    changes: [{ file: 'step/outcome.ts', from: 'if (said.charCodeAt(0) !== 60) return said;', to: 'return said;' }],
  },
  {
    name: 'bytes of pictures',
    changes: [{ file: 'step/outcome.ts', from: 'if (isPictureData(object)) {', to: 'if (false) {' }],
  },
  {
    name: 'answers that say that nothing was found',
    changes: [
      {
        file: 'step/outcome.ts',
        from: '|no (?:[\\w-]{1,20} ){1,3}(?:were |was )?found(?: (?:for|with|in|matching|that)\\b[^\\n]{0,120})?|(?:found )?(?:0|no) (?:\\w{1,20} )?(?:results|matches|hits|items|records|rows|documents|entries)[^\\n]{0,120}',
        to: '',
      },
    ],
  },
  {
    name: 'acknowledgements',
    changes: [{ file: 'step/outcome.ts', from: '(said.length < 300 && acknowledgement.test(said))', to: 'false' }],
  },
  {
    name: 'headings without an error',
    changes: [
      { file: 'step/error.ts', from: "const said = text.replace(headingOfNone, '');", to: 'const said = text;' },
    ],
  },
  {
    name: 'errors that say nothing',
    changes: [
      {
        file: 'step/error.ts',
        from: 'bare: bare.test(core) || (core.match(/[a-z]/gi)?.length ?? 0) < 8',
        to: 'bare: false',
      },
    ],
  },
  {
    name: 'edits that changed nothing',
    changes: [
      {
        file: 'step/error.ts',
        from: "effect === 'write' &&\n    length <= shortestResult &&\n    changedNothing",
        to: 'false &&\n    changedNothing',
      },
    ],
  },
  {
    name: "compilers' codes",
    changes: [{ file: 'step/error.ts', from: 'opening.test(text) || code.test(text) ||', to: 'opening.test(text) ||' }],
  },
  {
    name: 'words of complaint',
    changes: [
      {
        file: 'step/error.ts',
        from: "return effect !== 'note' && weak.test(firstLines(opened, 2)) && !reassuring.test(opened);",
        to: 'return false;',
      },
    ],
  },
  {
    name: 'words that say that nothing is wrong',
    changes: [{ file: 'step/error.ts', from: ' && !reassuring.test(opened);', to: ';' }],
  },
  {
    name: 'errors at the end of a long result',
    changes: [
      {
        file: 'step/error.ts',
        from: 'return failedExit.test(opened) || namesError(text.slice(-tailLength));',
        to: 'return failedExit.test(opened);',
      },
    ],
  },
  {
    name: 'numbers in the line of an error',
    changes: [{ file: 'step/error.ts', from: 'const core = mask(line)', to: 'const core = line' }],
  },
  {
    name: 'keys typed into a terminal',
    changes: [
      {
        file: 'step/effect.ts',
        from: "return keys === undefined ? natureOf(tool) : keys === '' || endOfLine.test(keys) ? 'shell' : 'act';",
        to: 'return natureOf(tool);',
      },
    ],
  },
  {
    name: 'changes told by their arguments',
    changes: [{ file: 'step/effect.ts', from: "if (nature === 'unknown' && isChange(input)) return 'write';", to: '' }],
  },
  {
    name: 'tools that are told what to do',
    changes: [
      {
        file: 'step/effect.ts',
        from: "const action = nature === 'unknown' ? actionOf(input) : nature;",
        to: 'const action = nature;',
      },
    ],
  },
  {
    name: 'queries',
    changes: [{ file: 'step/effect.ts', from: "? 'write'\n    : 'read';", to: "? 'write'\n    : 'run';" }],
  },
  {
    name: 'what commands do',
    changes: [
      {
        file: 'step/command.ts',
        from: 'let strongest: Effect | undefined;',
        to: "if (Math) return 'run';\n  let strongest: Effect | undefined;",
      },
    ],
  },
  {
    name: 'comments behind a command',
    changes: [
      {
        file: 'step/identity.ts',
        from: 'addString(reading, traits.script ? withoutComment(value) : value)',
        to: 'addString(reading, value)',
      },
    ],
  },
  {
    name: 'addresses in a command',
    changes: [
      {
        file: 'step/identity.ts',
        from: 'if (depth === 0 && traits.script && reading.target === 0) reading.target = addressIn(value);',
        to: '',
      },
    ],
  },
  {
    name: 'paths',
    changes: [
      {
        file: 'step/identity.ts',
        from: 'if (depth === 0 && traits.rank < placeKeys && reading.target === 0) reading.target = fingerprint(value);',
        to: '',
      },
    ],
  },
  {
    name: 'arguments as a JSON string',
    changes: [
      { file: 'step/identity.ts', from: 'if (first !== 123 && first !== 91) return input;', to: 'return input;' },
    ],
  },
  {
    name: 'descriptions beside a command',
    changes: [
      { file: 'step/input-keys.ts', from: "cosmetic.has(key) ? 'cosmetic' : volatileKeys", to: 'volatileKeys' },
    ],
  },
  {
    name: 'request ids and timestamps',
    changes: [{ file: 'step/input-keys.ts', from: "volatileKeys.has(key) ? 'volatile' : undefined", to: 'undefined' }],
  },
  {
    name: 'actions told behind a mark',
    changes: [
      { file: 'step/told-action.ts', from: 'for (const { index } of said.matchAll(actionMark)) from = index;', to: '' },
    ],
  },
  {
    name: 'names of tools that mislead',
    changes: [{ file: 'step/nature.ts', from: 'if (Object.hasOwn(known, joined)) return known[joined]!;', to: '' }],
  },
  {
    name: 'names of tools',
    changes: [
      {
        file: 'step/nature.ts',
        from: "return first === undefined ? 'unknown' : verbs[first]!;",
        to: "return 'unknown';",
      },
    ],
  },
  {
    name: 'numbered lists that go round',
    changes: [
      {
        file: 'detectors/chanting/chanting.ts',
        from: 'isNumbered(finder, words, unit) ? certainWhenNumbered(unit) : certainWhenDrifting(unit)',
        to: 'certainWhenDrifting(unit)',
      },
    ],
  },
  { name: 'monologue', changes: [{ file: 'presets/balanced.ts', from: 'monologue(), ', to: '' }] },
  { name: 'low-novelty', changes: [{ file: 'presets/balanced.ts', from: 'lowNovelty(), ', to: '' }] },
  { name: 'chanting', changes: [{ file: 'presets/balanced.ts', from: 'chanting(), ', to: '' }] },
];
