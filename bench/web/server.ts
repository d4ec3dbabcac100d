import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '../..')

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

/** The product as it runs in production (a public address, no simulator, no demo business), on a data folder that is thrown away. */
export const withProduct = async <T>(work: (base: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-bench-web-'))
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [join(root, 'src/main-api.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      SWATH_DATA_DIR: join(folder, 'var'),
      SWATH_LOG_LEVEL: 'error',
      PUBLIC_URL: base,
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    const isUp = () =>
      fetch(`${base}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isUp())) {
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
