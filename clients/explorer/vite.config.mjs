import { defineConfig } from 'vite';

// The gateway serves `dist/page` as /explore, and its assets with their hashes below it.
export default defineConfig({
  base: '/explore/',
  publicDir: false,
  resolve: { conditions: ['@bv/source', 'module', 'browser'] },
  build: {
    outDir: 'dist/page',
    target: 'es2022',
    modulePreload: { polyfill: false },
    // A data URL would need a weaker policy.
    assetsInlineLimit: 0,
  },
});
