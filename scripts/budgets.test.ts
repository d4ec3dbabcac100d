import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { buildWeb } from './build-web.ts'

const run = promisify(execFile)

it('what is loaded before anything is seen stays within its budgets', async () => {
  await buildWeb({ ifStale: true })
  const answer = await run(process.execPath, [join(import.meta.dirname, 'check-budgets.ts')]).catch((error) => error)
  expect(answer.stderr).toBe('')
  expect(answer.stdout).not.toMatch(/^OVER/m)
}, 120_000)
