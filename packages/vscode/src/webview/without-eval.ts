import { config } from 'zod';

// Zod tries to compile its schemas, which the content security policy forbids and reports. This module must be imported before
// any schema is created.
config({ jitless: true });
