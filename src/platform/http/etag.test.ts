import { expect, it } from 'vitest'
import { aBusiness } from '../../test/factories.ts'

it('a read that did not change is 304 without a body; a change, another person and a refusal are not', async () => {
  const business = await aBusiness()
  const ask = (etag?: string, path = '/api/customers', api = business.api) =>
    api.raw({ method: 'GET', url: path, headers: etag ? { 'if-none-match': etag } : {} })
  const first = await ask()
  const etag = String(first.headers.etag)
  expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{27}"$/)])
  const same = await ask(etag, '/api/customers?_t=17')
  expect([same.status, same.text]).toEqual([304, ''])
  expect((await ask(`W/${etag}`)).status).toBe(304)
  const other = await aBusiness()
  await other.api.raw({ method: 'POST', url: '/api/customers', payload: { name: 'Rita Odom' } })
  expect((await ask(etag, '/api/customers', other.api)).status).toBe(200)
  expect((await ask(etag, '/api/customers', (await business.employee()).api)).status).toBe(403)
  expect((await ask(undefined, '/api/customers/none')).headers.etag).toBeUndefined()
})
