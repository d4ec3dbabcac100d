import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** What a crew's taps ask of the server when ten offices and twenty phones are open; counted by the test that holds it. */
export const run = (): void => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'server',
      '--reporter=dot',
      'src/test/live-requests.test.ts',
    ],
    {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, SWATH_BENCH: '1', NO_COLOR: '1' },
      encoding: 'utf8',
    },
  )
  const lines = stdout.split('\n').filter((line) => /notices,| open {2}/.test(line))
  console.log(lines.join('\n'))
  if (status !== 0) console.error(stdout, stderr)
  process.exitCode = status ?? 1
}
