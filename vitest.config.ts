import { defineConfig } from 'vitest/config'

const long = process.env.SWATH_TEST_LONG === '1'

const env = {
  // a zone of odd minutes: whoever uses the machine's zone by mistake is seen
  TZ: 'Asia/Kathmandu',
  SWATH_LOG_LEVEL: process.env.SWATH_LOG_LEVEL ?? 'silent',
  DATABASE_URL: '',
  PUBLIC_URL: '',
  SWATH_KEYS: '',
  SWATH_DEMO: '',
  // no test asks anybody outside; the test of maps brings a map server of its own
  SWATH_MAP_STYLE: 'none',
}

const shared = { pool: 'forks' as const, isolate: false, environment: 'node' as const, env }
const withDatabase = { globalSetup: ['src/test/global-setup.ts'], setupFiles: ['src/test/setup.ts'] }

export default defineConfig({
  test: {
    maxWorkers: 2,
    passWithNoTests: true,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: [
            'src/features/**/rules.test.ts',
            'src/features/**/web/**/*.test.ts',
            'src/shared/**/*.test.ts',
            'src/solver/**/*.test.ts',
            'src/ui/**/*.test.ts',
            'src/app/**/*.test.ts',
          ],
          testTimeout: long ? 300_000 : 30_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'component',
          environment: 'happy-dom',
          setupFiles: ['src/ui/testing/setup.ts'],
          include: ['src/**/*.test.tsx'],
          testTimeout: 30_000,
          // as for the server's below: named in the report, as a thing to look into
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        test: {
          ...shared,
          ...withDatabase,
          name: 'server',
          include: [
            'src/features/**/*.test.ts',
            'src/local/**/*.test.ts',
            'src/platform/**/*.test.ts',
            'src/test/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', 'src/features/**/rules.test.ts', 'src/features/**/web/**'],
          testTimeout: long ? 300_000 : 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          // a whole run finds what no file alone does: it is tried once more and named in the report, as a thing to look into
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        test: {
          ...shared,
          setupFiles: withDatabase.setupFiles,
          globalSetup: [...withDatabase.globalSetup, 'e2e/global-setup.ts'],
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          // after the quick ones: two browsers leave no hands for anything else
          sequence: { groupOrder: 1 },
          testTimeout: 180_000,
          hookTimeout: 240_000,
          // a browser on a busy machine can lose a press; what passed at the second try is named in the report
          retry: process.env.CI ? 1 : 0,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
})
