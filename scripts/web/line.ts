import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * `cut`: nothing gets through, while the browser still believes that it is online. `flapping`: now and then a connection breaks, before the server
 * has heard of it, in the middle of what is sent, or after the server has done its part. `failing`: the server answers 500. `slow`: 50 KB a second
 * and 400 ms of delay.
 */
export type Quality = 'good' | 'slow' | 'flapping' | 'failing' | 'cut'

const slowBytesPerSecond = 50_000
const slowDelayMs = 400

/** Pours one stream into another at the speed of a slow line. */
const trickle = async (from: AsyncIterable<Buffer>, write: (piece: Buffer) => void): Promise<void> => {
  for await (const whole of from)
    for (let at = 0; at < whole.length; at += 8_192) {
      const piece = whole.subarray(at, at + 8_192)
      await new Promise((resolve) => setTimeout(resolve, (piece.length / slowBytesPerSecond) * 1_000))
      write(piece)
    }
}

/** A line between a browser and a server, as bad as one wants it. What broke follows from `seed`, so that a run can be had again. */
export const openLine = async (target: string, seed = 1) => {
  let quality: Quality = 'good'
  /** Bytes of what is sent up after which a flapping line breaks; without it by chance. */
  let breaksAfter: number | null = null
  let sentUp = 0
  let broken = 0
  let state = seed
  const chance = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
  const drop = (request: IncomingMessage): void => {
    broken += 1
    request.socket.destroy()
  }
  const pass = (request: IncomingMessage, response: ServerResponse, fate: number): void => {
    const up = ask(`${target}${request.url}`, { method: request.method, headers: request.headers }, (answer) => {
      // The server has done it, and the phone never hears of it.
      if (fate < 0.2) return drop(request)
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      if (quality === 'slow')
        setTimeout(
          () =>
            void trickle(answer, (piece) => response.write(piece)).then(
              () => response.end(),
              () => response.destroy(),
            ),
          slowDelayMs,
        )
      else answer.pipe(response)
    })
    up.on('error', () => request.socket.destroy())
    response.on('close', () => up.destroy())
    request.on('data', (piece: Buffer) => {
      sentUp += piece.length
      if (quality === 'flapping' && breaksAfter !== null && sentUp > breaksAfter) {
        sentUp = 0
        drop(request)
        up.destroy()
      }
    })
    request.pipe(up)
  }
  const server = createServer((request, response) => {
    const fate = quality === 'flapping' && breaksAfter === null ? chance() : 0.5
    if (quality === 'cut' || fate > 0.85) return drop(request)
    if (quality === 'failing' && request.url?.startsWith('/api/')) {
      response.writeHead(500, { 'content-type': 'application/json' })
      return void response.end(
        JSON.stringify({ code: 'internal', message: 'Something went wrong.', requestId: 'line' }),
      )
    }
    pass(request, response, fate)
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    be: (next: Quality, options: { breaksAfter?: number } = {}): void => {
      quality = next
      breaksAfter = options.breaksAfter ?? null
      sentUp = 0
      // What is open is as bad as what comes.
      if (next === 'cut') server.closeAllConnections()
    },
    /** Bytes that went over the line, both ways, with their headers. */
    byteCount: () => [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0),
    /** How many connections have broken. */
    brokenCount: () => broken,
    close: (): Promise<void> => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export type Line = Awaited<ReturnType<typeof openLine>>
