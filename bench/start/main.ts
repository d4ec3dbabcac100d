import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, isUp } from '../../scripts/web/product.ts'

const startOnce = async (dataDir: string): Promise<number> => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    env: { ...process.env, SWATH_DATA_DIR: dataDir, PORT: String(port) },
    stdio: 'ignore',
    detached: true,
  })
  while (!(await isUp(base))) {
    if (child.exitCode !== null) throw new Error('npm start ended before it answered')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const seconds = (performance.now() - began) / 1000
  if (child.pid) process.kill(-child.pid, 'SIGTERM')
  await new Promise((resolve) => child.once('close', resolve))
  while (await isUp(base)) await new Promise((resolve) => setTimeout(resolve, 100))
  return seconds
}

/** Times `npm start` until /health answers, packages installed: on an empty data folder (with the demo business), then again on the same one. */
export const run = async (args: string[]): Promise<void> => {
  const dir = mkdtempSync(join(tmpdir(), 'swath-bench-start-'))
  try {
    const result = []
    for (const what of ['empty data folder, with the demo business', 'again', 'and again']) {
      result.push({ start: what, seconds: Math.round((await startOnce(join(dir, 'var'))) * 10) / 10 })
    }
    if (args.includes('--json')) console.log(JSON.stringify(result, null, 2))
    else console.table(result)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
