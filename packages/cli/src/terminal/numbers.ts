export { counted, grouped, short } from 'loopfuse/words';
