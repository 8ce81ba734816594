import { config } from 'zod';

// Zod tries whether it may compile its schemas, which the content security policy forbids and reports. This module is
// imported before any schema is made.
config({ jitless: true });
