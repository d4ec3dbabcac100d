import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

const script = `
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
const { buildServer } = await import('./src/app-server.ts')
await import('./src/app-tasks.ts')
const app = await buildServer()
await app.ready()
// a file: what is written to a pipe can be cut off by the end of the process
writeFileSync(process.env.SWATH_TEST_ANSWER, JSON.stringify({ loaded, addresses: app.printRoutes({ commonPrefix: false }) }))
process.exit(0)
`

/** What a process of the server reads until it is ready to listen, as paths from the root, and every address that it answers. */
const load = (env: Record<string, string>): { files: string[]; addresses: string } => {
  const dir = mkdtempSync(join(tmpdir(), 'swath-loaded-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const answer = join(dir, 'answer.json')
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      VITEST: '',
      SWATH_DEMO: '',
      SWATH_DATA_DIR: dir,
      SWATH_TEST_ANSWER: answer,
      ...env,
    },
  })
  if (status !== 0) throw new Error(stderr)
  const { loaded, addresses } = JSON.parse(readFileSync(answer, 'utf8')) as { loaded: string[]; addresses: string }
  return {
    files: loaded.filter((url) => url.startsWith('file:')).map((url) => url.split(`${root}/`)[1] ?? url),
    addresses,
  }
}

const played = (path: string) => /^src\/(local|demo)\/|\/oidc-provider\//.test(path)

test('a server in production does not load whoever plays the providers, and has none of their addresses', () => {
  const here = load({ PUBLIC_URL: '' })
  expect(here.files).toContain('src/local/payments/billing.ts')
  expect(here.addresses).toContain('local/checkout/')
  const there = load({ PUBLIC_URL: 'https://swath.example.com' })
  expect(there.files).toContain('src/platform/payments/providers.ts')
  expect(there.files.filter(played)).toEqual([])
  expect(there.addresses).not.toContain('local')
  // two whole servers are started
}, 120_000)
