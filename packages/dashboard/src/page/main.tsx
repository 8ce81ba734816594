import { render } from 'preact';
import { App } from './app.js';
import './page.css';
import { readReport } from './read-report.js';

const root = document.getElementById('app')!;

readReport().then(
  (report) => {
    root.replaceChildren();
    render(<App {...report} />, root);
    performance.mark('loopfuse-ready');
  },
  (cause: unknown) => {
    root.textContent = `This report cannot be read: ${String(cause)}. Make it again with "loopfuse scan --html".`;
  },
);
