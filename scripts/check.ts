import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

// npm run check: everything that is quick, at once; under 30 s

const root = resolve(import.meta.dirname, '..')
const bin = (name: string): string => join(root, 'node_modules', '.bin', name)
const node = process.execPath

type Check = { name: string; command: string; args: string[] }

const checks: Check[] = [
  { name: 'types of the server', command: bin('tsc'), args: ['-p', 'tsconfig.server.json'] },
  { name: 'types of the journeys', command: bin('tsc'), args: ['-p', 'tsconfig.e2e.json'] },
  { name: 'types of the web', command: bin('tsc'), args: ['-p', 'tsconfig.web.json'] },
  {
    name: 'format and lint',
    command: bin('biome'),
    args: ['check', '.', '--diagnostic-level=warn', '--error-on-warnings'],
  },
  { name: 'structure', command: node, args: ['scripts/check-structure.ts'] },
  { name: 'dead code', command: bin('knip'), args: ['--no-progress'] },
  { name: 'database types', command: node, args: ['scripts/generate-db-types.ts', '--check'] },
  {
    name: 'unit, component tests',
    command: node,
    args: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--project', 'component', '--reporter=dot'],
  },
]

type Result = Check & { ok: boolean; output: string; seconds: number }

const run = (check: Check): Promise<Result> =>
  new Promise((done) => {
    const started = performance.now()
    let output = ''
    const child = spawn(check.command, check.args, {
      cwd: root,
      env: { ...process.env, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const take = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    const finish = (ok: boolean): void => done({ ...check, ok, output, seconds: (performance.now() - started) / 1000 })
    child.once('error', (error) => {
      output += error.message
      finish(false)
    })
    child.once('close', (code) => finish(code === 0))
  })

const started = performance.now()
const results = await Promise.all(checks.map(run))
const bad = results.filter(({ ok }) => !ok)
for (const { name, output } of bad) console.log(`--- ${name}\n${output.trim()}\n`)
for (const { name, ok, seconds } of results)
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(22)} ${seconds.toFixed(1)} s`)
console.log(
  `${bad.length === 0 ? 'All well' : `${bad.length} of ${results.length} failed`} in ${((performance.now() - started) / 1000).toFixed(1)} s.`,
)
process.exit(bad.length === 0 ? 0 : 1)
