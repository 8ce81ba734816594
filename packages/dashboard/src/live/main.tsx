import { render } from 'preact';
import { App } from './app.js';
import '../page/page.css';
import './live.css';

const root = document.getElementById('app')!;
root.replaceChildren();
render(<App />, root);
