import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Balancer = {
  base: string
  /** Requests that no server took, or whose connection broke. */
  failed: () => number
  /** Ports that said lately that they are ready. */
  ready: () => readonly number[]
  stop: () => Promise<void>
}

const checkEveryMs = 250
const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(3_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/**
 * Hands each request to the next server whose `/ready` said yes, as any balancer of the field does. It tries another one only where a connection was
 * refused: what a server may have read is never sent twice.
 */
export const startBalancer = async (ports: readonly number[]): Promise<Balancer> => {
  const agent = new Agent({ keepAlive: true })
  let ready: number[] = []
  let failures = 0
  let turn = 0
  let checking = true

  const pass = (asked: IncomingMessage, body: Buffer, answer: ServerResponse, tries: readonly number[]): void => {
    const left = tries.length > 0 ? tries : null
    const port = left?.[0]
    if (!left || port === undefined) {
      failures += 1
      answer.writeHead(502).end()
      return
    }
    const headers = { ...asked.headers, 'x-forwarded-for': asked.socket.remoteAddress ?? '127.0.0.1' }
    const onward = request(
      { agent, host: '127.0.0.1', port, method: asked.method, path: asked.url, headers },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers)
        answered.pipe(answer)
        answered.once('error', () => answer.destroy())
      },
    )
    answer.once('close', () => onward.destroy())
    onward.once('error', (error: NodeJS.ErrnoException) => {
      if (answer.headersSent || answer.destroyed) return void answer.destroy()
      if (error.code === 'ECONNREFUSED') return pass(asked, body, answer, left.slice(1))
      failures += 1
      answer.writeHead(502).end()
    })
    onward.end(body)
  }
  const server = createServer((asked, answer) => {
    const pieces: Buffer[] = []
    asked.on('data', (piece: Buffer) => pieces.push(piece))
    asked.once('end', () => {
      turn += 1
      const first = ready.length ? turn % ready.length : 0
      pass(asked, Buffer.concat(pieces), answer, [...ready.slice(first), ...ready.slice(0, first)])
    })
  })
  const check = async (): Promise<void> => {
    while (checking) {
      const states = await Promise.all(ports.map(isReady))
      ready = ports.filter((_, at) => states[at])
      await sleep(checkEveryMs)
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const checks = check()
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failed: () => failures,
    ready: () => ready,
    stop: async () => {
      checking = false
      await checks
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}
