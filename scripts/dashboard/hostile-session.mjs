/** What a page must show as text, wherever it stands in a session. */
export const hostileTexts = [
  '<script>window.broken = 1</script>',
  '</script><script>window.broken = 2</script>',
  '<!--<script>window.broken = 3',
  '<img src=x onerror="window.broken = 4">',
  '"><svg onload=window.broken=5>',
  'javascript:window.broken=6',
  '{{constructor.constructor("window.broken=7")()}}',
  '%3Cscript%3Ewindow.broken=8%3C/script%3E &lt;script&gt; &amp;',
  'before\u0000\u0007\u001b[31m\u009bafter',
  'lines\u2028of\u2029another kind',
  'left\u202eright\u2066 and \ufeffmarks',
  'half \ud83d characters \ude00 of two',
  '<!--sessions--><!--timelines-->',
  '$& $1 $` %script%',
];

/** A trace that loops, in which every text is hostile: names, inputs, results, what is said. */
export function hostileSession() {
  const lines = [
    {
      loopfuse: 1,
      session: `hostile ${hostileTexts[1]}`,
      agent: hostileTexts[0],
      model: hostileTexts[3],
      project: `/srv/${hostileTexts[4]}`,
      title: `Title ${hostileTexts[1]} ${hostileTexts[8]} ${hostileTexts[10]}`,
    },
    { type: 'prompt', text: hostileTexts.join('\n') },
  ];
  for (let round = 0; round < 8; round++) {
    lines.push({ type: 'text', text: `${hostileTexts.join(' ')} ` });
    lines.push({
      type: 'tool-call',
      id: `c${round}`,
      tool: hostileTexts[0],
      input: { [hostileTexts[1]]: hostileTexts },
    });
    lines.push({ type: 'tool-result', id: `c${round}`, output: `Error: ${hostileTexts.join('\n')}`, failed: true });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
