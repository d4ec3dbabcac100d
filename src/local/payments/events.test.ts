import { expect, it, onTestFinished } from 'vitest'
import { buildServer } from '../../app-server.ts'
import { testServer } from '../../test/api.ts'
import { postLocal, setLocalPost } from './events.ts'

const post = () => postLocal('/api/webhooks/stripe', { 'content-type': 'application/json' }, '{}')

it('reaches a server that stands, in whatever order others of this process were built and ended', async () => {
  await testServer()
  const [first, second] = [await buildServer(), await buildServer()]
  await first.close()
  await second.close()
  // unsigned: refused by a server, and not by the closed door of one
  expect(await post()).toBe(400)
})

it('goes back to whoever stood before, also where two who hold it back leave in their own order', async () => {
  await testServer()
  const leave = [setLocalPost(async () => 201), setLocalPost(async () => 202)]
  onTestFinished(() => {
    for (const one of leave) one()
  })
  leave[0]?.()
  expect(await post()).toBe(202)
  leave[1]?.()
  expect(await post()).toBe(400)
})
