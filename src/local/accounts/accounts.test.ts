import { afterEach, expect, it } from 'vitest'
import { config } from '../../platform/config.ts'
import { fromAddress } from '../../test/account.ts'
import { testServer } from '../../test/api.ts'
import { aBusiness } from '../../test/factories.ts'

afterEach(() => {
  Object.assign(config, { production: false })
})

const ask = async (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => {
  const app = await testServer()
  return app.inject({ url: '/local/accounts', headers: { host: 'localhost:4000', ...headers }, remoteAddress })
}

it('shows who sits at this computer the link of a new password, ready to open', async () => {
  const { owner } = await aBusiness()
  await fromAddress()('/api/auth/forgot-password', { email: owner.email })
  const { statusCode, body, headers } = await ask()
  expect([statusCode, headers['cache-control'], headers['x-swath-local-mail']]).toEqual([200, 'no-store', '1'])
  expect(body).toContain(`to ${owner.email}`)
  expect(body).toMatch(/<a href="http[^"]+\/reset-password\?token=[\w-]{20,}">/)
})

it.each<[string, Record<string, string>, string?]>([
  ['another computer', {}, '192.168.1.20'],
  ['a page under another name, which a browser here was led to', { host: 'evil.test' }],
  ['somebody behind a proxy on this computer', { 'x-forwarded-for': '203.0.113.9' }],
  ['somebody behind a proxy that says only whose address it is', { 'x-real-ip': '203.0.113.9' }],
  ['somebody behind a proxy that says only that it is one', { via: '1.1 proxy' }],
])('is not there for %s', async (_who, headers, address) => {
  expect((await ask(headers, address)).statusCode).toBe(404)
})

it('is not there in production', async () => {
  Object.assign(config, { production: true })
  const { statusCode, headers } = await ask()
  expect([statusCode, headers['x-swath-local-mail']]).toEqual([404, undefined])
})
