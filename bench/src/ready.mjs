import { fileURLToPath } from 'node:url';
import { installLocked } from '../../scripts/install-locked.mjs';

installLocked(
  fileURLToPath(new URL('..', import.meta.url)),
  'bench: installing the originals and peers, once (a minute or two, 600 MB)',
);
