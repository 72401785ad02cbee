export * from '@bv/pagination';
