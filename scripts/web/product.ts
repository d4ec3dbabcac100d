import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')

/** A port of this machine that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

/** Whether a server answers at this address. */
export const isUp = (base: string): Promise<boolean> =>
  fetch(`${base}/health`).then(
    ({ ok }) => ok,
    () => false,
  )

type Start = {
  /** What it is told besides, made for its address. */
  environment?: (base: string) => Record<string, string>
  /** Modules that run before it does. */
  before?: readonly string[]
}

/** Starts the product as its own process on a free port and a data folder that is thrown away, works with it and stops it. */
export const withProduct = async <T>(
  { environment, before = [] }: Start,
  work: (base: string) => Promise<T>,
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-product-'))
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const modules = before.map((path) => `--import=${pathToFileURL(path).href}`)
  const child = spawn(process.execPath, [...modules, join(root, 'src/main-api.ts')], {
    env: { ...process.env, SWATH_DATA_DIR: join(folder, 'var'), PORT: String(port), ...environment?.(base) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    while (!(await isUp(base))) {
      if (child.exitCode !== null) throw new Error('The server ended before it answered.')
      await sleep(100)
    }
    return await work(base)
  } finally {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}
