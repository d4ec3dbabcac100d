import { afterEach, expect, it } from 'vitest'
import { configureClient } from '../../../shared/client.ts'
import { pieceBytes } from '../../files/rules.ts'
import { photoBody } from './photoPieces.ts'

afterEach(() => configureClient({ baseUrl: '', fetch: (input, init) => fetch(input, init) }))

it('a photo of 3 MB goes on where the line broke, every byte of it once', async () => {
  const photo = new Uint8Array(3_000_000).map((_, n) => n % 251)
  let had: Uint8Array = new Uint8Array(0)
  let pieces = 0
  let broken = 0
  configureClient({
    baseUrl: 'http://swath.test',
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.method === 'GET') return Response.json({ received: had.length })
      pieces += 1
      const from = Number(new URL(request.url).searchParams.get('from'))
      const bytes = new Uint8Array(await request.arrayBuffer())
      // every third breaks, by turns before and after the server has it
      const breaks = pieces % 3 === 0
      if (breaks && pieces % 2 === 0) throw new TypeError('Failed to fetch')
      if (from === had.length) had = Buffer.concat([had, bytes])
      if (breaks) throw new TypeError('Failed to fetch')
      return Response.json({ received: had.length })
    },
  })
  const told: number[] = []
  let turns = 0
  for (let body: unknown = null; body === null; )
    body = await photoBody('0198a000-0000-7000-8000-000000000001', new Blob([photo]), {
      onSent: (bytes) => told.push(bytes),
      beforePiece: async () => {
        turns += 1
      },
    }).catch(() => {
      broken += 1
      return null
    })
  expect(broken).toBeGreaterThan(5)
  expect(Buffer.compare(Buffer.from(had), Buffer.from(photo))).toBe(0)
  expect(pieces).toBeLessThan(2 * Math.ceil(photo.length / pieceBytes))
  expect(told).toEqual([...told].sort((a, b) => a - b))
  // each piece asks whether it may go: taps come first
  expect(turns).toBe(pieces)
  expect(told.at(-1)).toBe(photo.length)
})
