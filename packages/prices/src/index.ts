export * from './price.js';
export * from './price-table.js';
export * from './prices.js';
