import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { median } from '../server.ts'
import type { Script } from './script.ts'

const connections = 20

type Server = { child: ChildProcess; port: number; headers: Record<string, string> }
type Round = { perSecond: number; cpuMs: number; p99Ms: number }

const start = async (file: string, args: string[], execArgv: string[]): Promise<Server> => {
  const child = fork(join(import.meta.dirname, file), args, { execArgv })
  child.once('exit', (code) => {
    if (code) throw new Error(`${file} ended with ${code}`)
  })
  const [said] = (await once(child, 'message')) as [Omit<Server, 'child'>]
  return { child, ...said }
}

const cpuOf = async ({ child }: Server): Promise<number> => {
  const told = once(child, 'message')
  child.send('cpu')
  const [{ user, system }] = (await told) as [NodeJS.CpuUsage]
  return (user + system) / 1000
}

const send = (agent: Agent, server: Server, script: Script): Promise<void> =>
  new Promise((done, fail) => {
    const payload = script.payload ? JSON.stringify(script.payload) : null
    const sent = request(
      {
        agent,
        port: server.port,
        host: '127.0.0.1',
        method: script.method,
        path: script.path,
        headers: {
          ...server.headers,
          // as every browser asks
          'accept-encoding': 'gzip, deflate, br',
          ...(payload
            ? {
                'content-type': 'application/json',
                'content-length': Buffer.byteLength(payload),
                'idempotency-key': randomUUID(),
              }
            : {}),
        },
      },
      (response) => {
        response.resume()
        response.once('end', () =>
          response.statusCode === 200 ? done() : fail(new Error(`${script.path} answered ${response.statusCode}`)),
        )
      },
    )
    sent.once('error', fail)
    sent.end(payload ?? undefined)
  })

/** One server, one endpoint, twenty connections that each ask again as soon as they are answered. */
const round = async (server: Server, script: Script, ms: number): Promise<Round> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const spans: number[] = []
  const cpu = await cpuOf(server)
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() - began < ms) {
        const from = performance.now()
        await send(agent, server, script)
        spans.push(performance.now() - from)
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  const sorted = spans.toSorted((a, b) => a - b)
  return {
    perSecond: spans.length / seconds,
    cpuMs: ((await cpuOf(server)) - cpu) / spans.length,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  }
}

const shown = (value: number, digits = 0): number => Number(value.toFixed(digits))

/**
 * The server beside a bare `node:http` and `pg` handler with the same statements (without who asks and the key of a repeat), in turns.
 * `--seconds` a turn, `--rounds`, `--only` a pattern of names, `--profile` writes the server's CPU profile into a folder, `--json`.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string', default: '' },
      profile: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const dir = mkdtempSync(join(tmpdir(), 'swath-bench-'))
  process.env.SWATH_DATA_DIR = join(dir, 'var')
  process.env.SWATH_LOG_LEVEL ??= 'silent'
  const { startTestServer, cloneTemplate } = await import('../../src/test/cluster.ts')
  const cluster = await startTestServer()
  const servers: Server[] = []
  try {
    const url = await cloneTemplate(cluster, 'bench')
    const file = join(dir, 'scripts.json')
    const profile = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
    const ours = await start('ours.ts', [url, file], profile)
    servers.push(ours)
    const bare = await start('bare.ts', [url, file], [])
    servers.push(bare)
    const scripts = (JSON.parse(readFileSync(file, 'utf8')) as Script[]).filter(({ name }) =>
      new RegExp(values.only).test(name),
    )
    const rows = []
    for (const script of scripts) {
      for (const server of [bare, ours]) await round(server, script, 1000)
      const rounds: { bare: Round; ours: Round }[] = []
      for (let i = 0; i < Number(values.rounds); i += 1) {
        const ms = Number(values.seconds) * 1000
        rounds.push({ bare: await round(bare, script, ms), ours: await round(ours, script, ms) })
      }
      const of = (who: 'bare' | 'ours', what: keyof Round) => median(rounds.map((one) => one[who][what]))
      rows.push({
        endpoint: script.name,
        statements: script.steps.length,
        bare: shown(of('bare', 'perSecond')),
        ours: shown(of('ours', 'perSecond')),
        share: shown(median(rounds.map((one) => one.ours.perSecond / one.bare.perSecond)), 2),
        bareCpuMs: shown(of('bare', 'cpuMs'), 2),
        oursCpuMs: shown(of('ours', 'cpuMs'), 2),
        bareP99Ms: shown(of('bare', 'p99Ms'), 1),
        oursP99Ms: shown(of('ours', 'p99Ms'), 1),
      })
    }
    if (values.json) console.log(JSON.stringify(rows, null, 2))
    else console.table(rows)
  } finally {
    for (const { child } of servers) {
      child.removeAllListeners('exit')
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    }
    await cluster.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
