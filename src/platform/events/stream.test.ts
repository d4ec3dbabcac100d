import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { buildServer } from '../../app-server.ts'
import { aBusiness } from '../../test/factories.ts'
import { touch } from './events.ts'

test('an open screen hears what changed in its business, after the commit, and nothing of another', async () => {
  const [mine, other] = [await aBusiness(), await aBusiness()]
  const app = await buildServer()
  await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const { port } = app.server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}/api/events/stream`, {
      headers: { authorization: `Bearer ${mine.api.token}`, 'x-client-app': 'admin' },
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    await other.db((db) => touch(db, 'customers', ['theirs']))
    await mine
      .db(async (db) => {
        await touch(db, 'customers', ['undone'])
        throw new Error('rolled back')
      })
      .catch(() => undefined)
    await mine.db((db) => touch(db, 'visits', ['mine']))
    let heard = ''
    while (!heard.includes('event: change')) heard += (await reader?.read())?.value ?? ''
    expect(heard).toContain('data: {"topic":"visits","ids":["mine"]}')
    expect(heard).not.toContain('theirs')
    expect(heard).not.toContain('undone')
  } finally {
    // also proves that a server with an open stream can be closed
    await app.close()
  }
})
