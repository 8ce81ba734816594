import './without-eval.js';
import { render } from 'preact';
import { openHost, ServicesContext } from './host.js';
import { createStore } from './store.js';
import './style/index.css';
import { App } from './view/app.js';

const host = openHost();
const store = createStore(host.post, {
  now: () => performance.now(),
  nextFrame: (callback) => requestAnimationFrame(callback),
});

window.addEventListener('message', ({ data }) => store.receive(data));
const root = document.getElementById('app');
if (root === null) throw new Error('the page has no #app to draw the chat in');
render(
  <ServicesContext.Provider value={{ host, show: store.show }}>
    <App store={store} />
  </ServicesContext.Provider>,
  root,
);
host.post({ type: 'ready' });
