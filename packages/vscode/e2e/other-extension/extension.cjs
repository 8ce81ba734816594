const vscode = require('vscode');

/** Asks for a list of events as JSON, or for a request, and passes it to Loopfuse. */
exports.activate = ({ subscriptions }) => {
  const chat = async () => (await vscode.extensions.getExtension('loopfuse.loopfuse-vscode').activate()).chat;
  subscriptions.push(
    vscode.commands.registerCommand('somebodyElse.receive', async () => {
      const text = await vscode.window.showInputBox({ prompt: 'Events, as JSON' });
      for (const event of JSON.parse(text ?? '[]')) (await chat()).receive(event);
    }),
    vscode.commands.registerCommand('somebodyElse.send', async () => {
      (await chat()).send((await vscode.window.showInputBox({ prompt: 'A request' })) ?? '');
    }),
  );
};
