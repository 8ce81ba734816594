export * from '@loopfuse/model-server';
