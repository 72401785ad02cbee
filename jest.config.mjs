/** One configuration for the whole workspace: native ESM, sources run through swc, real data stores. */
export default {
  rootDir: '.',
  testMatch: [
    '<rootDir>/{clients,libs,services,tools,loadtests}/**/*.test.ts',
    '<rootDir>/test/**/*.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@bv/source', 'node', 'node-addons'] },
  globalSetup: '<rootDir>/tools/testkit/src/jest/global-setup.ts',
  globalTeardown: '<rootDir>/tools/testkit/src/jest/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/tools/testkit/src/jest/check-responses.ts'],
  reporters: ['default', '<rootDir>/tools/testkit/src/jest/summary-reporter.ts'],
  // More than the two cores of a small machine: many tests wait for another process.
  maxWorkers: 3,
  // A worker keeps the modules of every test file. At 4 GB of heap it spends its time collecting garbage, and dies.
  workerIdleMemoryLimit: '1GB',
  // Longer than a worker takes to free 1 GB of heap. One with an open handle is still reported.
  workerGracefulExitTimeout: 10_000,
  testTimeout: 180_000,
};
