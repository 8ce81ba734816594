// biome-ignore-all lint/performance/useDomNodeTextContent: what is tested is what people see

/** Approvals. */
import assert from 'node:assert/strict';
import { graceOver, hasFocus, onPage } from '../on-page.mjs';
import { approval, commandApproval, conversation, events, request, result, work } from '../scenes.mjs';

onPage('an approval is in its card: the change, what “Always” covers, and three answers', {}, async (view) => {
  const { tell, part, posted } = view;
  await tell(conversation(), ...work);
  await posted();
  for (const [given, key] of [
    ['once', 'y'],
    ['always', 'a'],
    ['no', 'n'],
  ]) {
    await tell(approval());
    assert.equal(await part('item-tool').last().getByTestId('approval').count(), 1);
    assert.match(await part('approval').innerText(), /Let replace change src\/total\.ts\?[\s\S]*covers replace/);
    await part(`approve-${given}`).click();
    assert.deepEqual(await posted(), [{ type: 'answer-approval', id: 7, answer: given }]);
    assert.equal(await part('approval').count(), 0);
    await hasFocus(view, 'composer');

    await tell(approval());
    await hasFocus(view, 'approve-once');
    await view.page.waitForTimeout(graceOver);
    await view.page.keyboard.press(key);
    assert.deepEqual(await posted(), [{ type: 'answer-approval', id: 7, answer: given }]);
  }
  await tell(approval());
  await part('approval').getByText('Open the diff').click();
  assert.deepEqual(await posted(), [{ type: 'open-diff', id: 7 }]);
  await tell({ type: 'approval-gone', id: 7 });
  assert.equal(await part('approval').count(), 0);
  await tell(events(request('c4', 'run_shell_command', { command: 'npm test' })), commandApproval);
  assert.match(
    await part('approval').innerText(),
    /Run this command\?[\s\S]*npm test -- total[\s\S]*covers npm test, git status/,
  );
  await view.page.keyboard.press('Escape');
  assert.deepEqual(await posted(), [{ type: 'stop' }]);
});

onPage('a double click answers one question, not the next one as well', {}, async (view) => {
  const { tell, part, posted, page } = view;
  const call = (id) => events(request(id, 'run_shell_command', { command: 'npm test' }));
  const asks = (id, callId) => ({
    ...commandApproval,
    id,
    request: { ...commandApproval.request, call: { ...commandApproval.request.call, id: callId } },
  });
  const click = async (clickCount) => {
    const { x, y } = await part('approve-once').boundingBox();
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
  };
  await tell(conversation(), { type: 'started', text: 'Go' }, call('a'), asks(1, 'a'));
  await posted();
  await click(1);
  await tell(events(result('a', 'run_shell_command', 'ok')), call('b'), asks(2, 'b'));
  await click(2);
  assert.deepEqual(await posted(), [{ type: 'answer-approval', id: 1, answer: 'once' }]);
  assert.equal(await part('approval').count(), 1);
  await click(1);
  assert.deepEqual(await posted(), [{ type: 'answer-approval', id: 2, answer: 'once' }]);
});

onPage('invisible characters are shown in what is approved', {}, async ({ tell, part }) => {
  const display = { type: 'command', command: 'ls \u202etxt.exe\u200b\u001b[8m; rm -rf ~', folder: '/w' };
  await tell(conversation(), ...work, approval({ effect: 'run', display }));
  assert.match(await part('approval').innerText(), /ls ‹U\+202E›txt\.exe‹U\+200B›␛\[8m; rm -rf ~/);
});
